package io.github.amb.bench;

import io.github.amb.bench.compute.CodecBenchmark;
import io.github.amb.bench.compute.ComputeBenchmark;
import io.github.amb.bench.compute.PartitionsBenchmark;
import io.github.amb.bench.compute.UpdateBenchmark;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.transport.BandwidthBenchmark;
import io.github.amb.bench.transport.StepBenchmark;
import io.github.amb.core.plugin.Registry;
import java.util.List;

/** The benchmarks by name. To add one, add a class and a line here. */
public final class Benchmarks {
  /** All benchmarks. */
  public static final Registry<Benchmark> ALL =
      new Registry<>(
          "benchmark",
          List.of(
              new OverheadBenchmark(),
              new StepBenchmark(),
              new BandwidthBenchmark(),
              new PartitionsBenchmark(),
              new ComputeBenchmark(),
              new PeersBenchmark(),
              new UpdateBenchmark(),
              new CodecBenchmark(),
              new MemoryBenchmark(),
              new LoadBenchmark(),
              new SimBenchmark(),
              new EnginesBenchmark()));

  private Benchmarks() {}

  /** The benchmark called {@code name}; update rules are known by both words. */
  static Benchmark named(String name) {
    return ALL.named(name.equals("update") ? "optimizers" : name);
  }
}
