package io.github.amb.bench;

import io.github.amb.bench.allocation.AllocationBenchmark;
import io.github.amb.bench.gradient.ComputeBenchmark;
import io.github.amb.bench.gradient.PartitionsBenchmark;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.memory.MemoryBenchmark;
import io.github.amb.bench.overhead.OverheadBenchmark;
import io.github.amb.bench.update.UpdateBenchmark;
import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.List;

/** The benchmarks by name. To add one, add a class and a line here. */
final class Benchmarks {
  private static final List<Benchmark> ALL =
      List.of(
          new OverheadBenchmark(),
          new PartitionsBenchmark(),
          new ComputeBenchmark(),
          new UpdateBenchmark(),
          new MemoryBenchmark(),
          new AllocationBenchmark());

  private Benchmarks() {}

  /** All benchmarks, in the order for help. */
  static List<Benchmark> all() {
    return ALL;
  }

  /**
   * The benchmark called {@code name}.
   *
   * @throws UsageException if there is none
   */
  static Benchmark named(String name) {
    List<String> names = ALL.stream().map(Benchmark::name).toList();
    return ALL.stream()
        .filter(benchmark -> benchmark.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown benchmark '" + name + "'" + Suggestion.forName(name, names)));
  }
}
