/** Benchmarks of whole runs: loading of data, memory, overhead per step, virtual time. */
package io.github.amb.bench.run;
