/**
 * The common parts of all benchmarks: options, samples, tables, targets and the state of the
 * machine.
 */
package io.github.amb.bench.harness;
