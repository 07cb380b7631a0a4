/** Benchmark of updates against the speed of memory. */
package io.github.amb.bench.update;
