/** Benchmark of the virtual cluster's times against those of real processes. */
package io.github.amb.bench.engines;
