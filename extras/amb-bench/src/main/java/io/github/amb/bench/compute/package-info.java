/** Benchmarks of gradients, codecs, updates, and the bytes that a step of a scheme allocates. */
package io.github.amb.bench.compute;
