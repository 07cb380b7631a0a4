/**
 * What all benchmarks share: their options, samples, tables, targets and the state of the machine.
 */
package io.github.amb.bench.harness;
