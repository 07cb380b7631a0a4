/** Benchmarks of the speed of gradients, and of the cost of partitions. */
package io.github.amb.bench.gradient;
