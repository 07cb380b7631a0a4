/** Benchmark of the virtual cluster's speed. */
package io.github.amb.bench.sim;
