package io.github.amb.bench.harness;

import java.util.List;
import java.util.Map;

/**
 * What a benchmark found.
 *
 * @param tables results
 * @param targets what they were compared with; may be empty
 * @param notes how it was measured and what the columns mean, a sentence each
 * @param data further results for the JSON file only, by key
 */
public record BenchmarkReport(
    List<Table> tables, List<Target> targets, List<String> notes, Map<String, Object> data) {
  /** A report without further data. */
  public BenchmarkReport(List<Table> tables, List<Target> targets, List<String> notes) {
    this(tables, targets, notes, Map.of());
  }
}
