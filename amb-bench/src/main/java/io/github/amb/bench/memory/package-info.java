/** Benchmark of the memory of a real run's processes. */
package io.github.amb.bench.memory;
