/** Benchmark of the bytes that a step of a scheme allocates. */
package io.github.amb.bench.allocation;
