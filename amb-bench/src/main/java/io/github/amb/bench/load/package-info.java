/** Benchmark of the time and memory to load a data set. */
package io.github.amb.bench.load;
