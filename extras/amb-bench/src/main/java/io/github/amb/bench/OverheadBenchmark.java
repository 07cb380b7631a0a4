package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.seconds;
import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.harness.BenchRank;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The framework's share of a step, with real ranks over MPJ. Scheme, update, records and console
 * are those of training, but workers sleep instead of computing.
 */
public final class OverheadBenchmark extends Benchmark {
  private static final Setting<Integer> WORKERS =
      integer("workers", 3, 1, "worker processes beside the master");
  private static final Setting<List<Integer>> PARAMETERS =
      integers("parameters", "1000000", 1, "sizes of the model");
  private static final Setting<Double> COMPUTE =
      seconds("compute", 0.1, "how long each worker computes per step");
  private static final Setting<Integer> STEPS = integer("steps", 100, 1, "steps measured");
  private static final Setting<Integer> WARM_UP =
      integer("warm-up", 100, 1, "steps before, while code is compiled");

  private static final double LARGEST_SHARE = 5;
  private static final int BASE_HEAP = 256;

  private static final List<String> NOTES =
      List.of(
          "overhead = step time - slowest worker's compute_time = send + transfer + update + rest",
          "send: parameters, at the master; transfer: from then to the last gradient, less the"
              + " slowest computation, of which worker send is a part; rest: records and console");

  public OverheadBenchmark() {
    super(
        "overhead",
        "what a step costs beyond the slowest worker's computation, with real ranks",
        List.of(WORKERS, PARAMETERS, COMPUTE, STEPS, WARM_UP));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException, InterruptedException {
    List<Table> tables = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    for (int size : given.integers(PARAMETERS)) {
      StepCosts costs = measure(given, size);
      tables.add(table(size, given, costs));
      targets.add(
          new Target(
              format("median overhead with %,d parameters, %% of compute", size),
              LARGEST_SHARE,
              costs.sample(step -> 100 * step.overhead() / step.compute()).median()));
    }
    return new BenchmarkReport(tables, targets, NOTES);
  }

  private static StepCosts measure(BenchmarkRun given, int size)
      throws IOException, InterruptedException {
    int workers = given.get(WORKERS);
    int warmUp = given.get(WARM_UP);
    int steps = warmUp + given.get(STEPS) + 1;
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      RunDirectory run = new RunDirectory(directory.path());
      BenchRank.launch(
          workers + 1,
          List.of("-Xmx" + heap(size, workers) + "m"),
          OverheadRank.class,
          OverheadRank.arguments(size, given.get(COMPUTE), steps, run.path()),
          line -> given.say(format("%,d parameters: %s", size, line)));
      return StepCosts.of(run, workers, warmUp);
    }
  }

  /** Heap in MB: at the master the parameters, the rule's state, and a few gradients per worker. */
  private static long heap(int size, int workers) {
    return BASE_HEAP + 4L * size * (4 + 4L * workers) / 1_000_000;
  }

  private static Table table(int size, BenchmarkRun given, StepCosts costs) {
    String title =
        format(
            "per step, %,d parameters, %s workers, compute %s s, %s steps",
            size, given.text(WORKERS), given.text(COMPUTE), given.text(STEPS));
    Table table = new Table(title, "part time_ms p90_ms share_of_compute_percent");
    double compute = costs.sample(StepCosts.Step::compute).median();
    add(table, "step", costs.sample(StepCosts.Step::time), compute);
    add(table, "slowest compute", costs.sample(StepCosts.Step::compute), compute);
    add(table, "overhead", costs.sample(StepCosts.Step::overhead), compute);
    add(table, "- send", costs.sample(StepCosts.Step::send), compute);
    add(table, "- transfer", costs.sample(StepCosts.Step::transfer), compute);
    add(table, "  - worker send", costs.sample(StepCosts.Step::workerSend), compute);
    add(table, "- update", costs.sample(StepCosts.Step::update), compute);
    add(table, "- rest", costs.sample(StepCosts.Step::rest), compute);
    return table;
  }

  private static void add(Table table, String part, Sample seconds, double compute) {
    Sample millis = seconds.map(s -> 1e3 * s);
    table.row(part, millis, millis.p90(), 100 * seconds.median() / compute);
  }
}
