/** Benchmarks of gradients, codecs and updates. */
package io.github.amb.bench.compute;
