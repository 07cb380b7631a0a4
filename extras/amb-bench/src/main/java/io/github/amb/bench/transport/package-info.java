/** Benchmarks of messages, next to a raw socket and to MPJ Express' own operations. */
package io.github.amb.bench.transport;
