package io.github.amb.bench.harness;

import java.util.List;
import java.util.Map;

/**
 * The results of a benchmark.
 *
 * @param tables results
 * @param targets comparisons with targets; may be empty
 * @param notes how it was measured and what the columns mean, one sentence each
 * @param data additional results for the JSON file only, by key
 */
public record BenchmarkReport(
    List<Table> tables, List<Target> targets, List<String> notes, Map<String, Object> data) {
  /** A report without additional data. */
  public BenchmarkReport(List<Table> tables, List<Target> targets, List<String> notes) {
    this(tables, targets, notes, Map.of());
  }
}
