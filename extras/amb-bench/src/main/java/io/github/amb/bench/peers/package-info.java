/** Benchmark of gradients per second beside other frameworks, each in a separate process. */
package io.github.amb.bench.peers;
