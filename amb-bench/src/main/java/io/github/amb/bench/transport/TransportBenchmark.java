package io.github.amb.bench.transport;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkOptions;
import io.github.amb.bench.harness.BenchmarkProgress;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.Parameter;
import java.io.IOException;
import java.util.List;

/** {@link TransportBench} as a benchmark; it prints its own tables. */
public final class TransportBenchmark extends Benchmark {
  private static final Parameter ROUNDS =
      Parameter.integer("rounds", 7, 1, "how often all is measured");
  private static final Parameter PARAMETERS =
      Parameter.integer("parameters", 1_000_000, 1, "floats in a step's messages");
  private static final Parameter WORKERS =
      Parameter.integer("workers", 3, 1, "workers of the step");

  public TransportBenchmark() {
    super("transport", "messages over the engine, a raw socket and MPJ Express' own calls");
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(ROUNDS, PARAMETERS, WORKERS);
  }

  @Override
  public BenchmarkReport run(BenchmarkOptions given, BenchmarkProgress progress)
      throws IOException, InterruptedException {
    progress.say("starting ranks");
    var results =
        TransportBench.measure(
            given.integer(ROUNDS),
            given.integer(PARAMETERS),
            given.integer(WORKERS),
            TransportBench.HEAP);
    return new BenchmarkReport(List.of(), List.of(), List.of(), results);
  }
}
