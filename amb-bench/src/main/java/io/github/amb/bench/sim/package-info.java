/** Benchmarks of the virtual cluster: its speed, and its times against those of real processes. */
package io.github.amb.bench.sim;
