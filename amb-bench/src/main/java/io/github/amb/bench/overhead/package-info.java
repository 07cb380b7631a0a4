/** Benchmark of a training step's cost beyond the slowest worker's computation. */
package io.github.amb.bench.overhead;
