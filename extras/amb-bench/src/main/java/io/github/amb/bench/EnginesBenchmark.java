package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.seconds;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.AmbProgram;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the same job on real processes, which sleep their induced delays, and on the virtual
 * cluster. Reports the difference of the mean step times, and whether the parameters are equal.
 */
public final class EnginesBenchmark extends Benchmark {
  private static final Setting<Integer> WORKERS =
      integer("workers", 2, 1, "worker processes beside the master");
  private static final Setting<Integer> STEPS = integer("steps", 60, 2, "length of each run");
  private static final Setting<String> NETWORK =
      text("network", "sigmoid-mlp", "a network (amb models)", "what is trained");
  private static final Setting<Integer> FMB_BATCH =
      integer("fmb-batch-size", 256, 1, "examples per worker and step of fmb");
  private static final Setting<Integer> AMB_BATCH =
      integer("amb-batch-size", 32_768, 64, "of amb; a worker that computes it all ends early");
  private static final Setting<Double> TIME_LIMIT =
      seconds("amb-time-limit", 0.4, "T of amb, delay included");
  private static final Setting<String> SCALE =
      text("induce-scale", "0.1", "0 to 1000", "factor on niagara's delays");

  private static final double LARGEST_DIFFERENCE = 10;
  private static final int PARTITION = 64;
  private static final int WARM_UP_SHARE = 10;

  public EnginesBenchmark() {
    super(
        "engines",
        "step times and parameters of the virtual cluster against real processes",
        List.of(WORKERS, STEPS, NETWORK, FMB_BATCH, AMB_BATCH, TIME_LIMIT, SCALE));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException, InterruptedException {
    Table table =
        new Table(
            "digits, %s, %s workers, niagara times %s"
                .formatted(given.text(NETWORK), given.text(WORKERS), given.text(SCALE)),
            "scheme mpj_s_per_step sim_s_per_step sim_to_mpj same_parameters");
    List<Target> targets = new ArrayList<>();
    compare("fmb", "fmb rms " + given.text(FMB_BATCH), given, table, targets);
    int batch = given.get(AMB_BATCH);
    String amb =
        "amb rms %s --amb-time-limit %s --amb-num-partitions %s"
            .formatted(batch, given.text(TIME_LIMIT), batch / PARTITION);
    compare("amb", amb, given, table, targets);
    return new BenchmarkReport(
        List.of(table),
        targets,
        List.of(
            "sim prices computation as measured on one rank before its run (--cost measured).",
            "amb's parameters depend on how much each worker managed and so are different."));
  }

  private static void compare(
      String scheme, String job, BenchmarkRun given, Table table, List<Target> targets)
      throws IOException, InterruptedException {
    Result real = train(job, "mpj", given);
    Result virtual = train(job, "sim", given);
    double ratio = virtual.secondsPerStep() / real.secondsPerStep();
    boolean same = real.parameters().equals(virtual.parameters());
    table.row(scheme, real.secondsPerStep(), virtual.secondsPerStep(), ratio, same ? "yes" : "no");
    targets.add(
        new Target(
            scheme + ": difference of mean step times, %",
            LARGEST_DIFFERENCE,
            100 * Math.abs(ratio - 1)));
    if (scheme.equals("fmb")) {
      targets.add(new Target("fmb: 0 for the same parameters bit for bit", 0, same ? 0 : 1));
    }
  }

  /** Mean seconds per step, and the hash of the final parameters. */
  private record Result(double secondsPerStep, String parameters) {
    /** Without the first tenth of the steps, while code is compiled. */
    static Result of(Run run) {
      List<StepRecord> steps = run.steps();
      int from = steps.size() / WARM_UP_SHARE;
      StepRecord last = steps.get(steps.size() - 1);
      double time = last.time() - steps.get(from).time();
      return new Result(time / (steps.size() - 1 - from), run.info().ending().parametersSha256());
    }
  }

  private static Result train(String job, String engine, BenchmarkRun given)
      throws IOException, InterruptedException {
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      Path run = directory.path().resolve("run");
      String options =
          "train digits %s --network %s --workers %s --induce niagara --induce-scale %s"
              .formatted(job, given.text(NETWORK), given.text(WORKERS), given.text(SCALE));
      List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
      arguments.addAll(List.of("--last-step", given.text(STEPS), "--evaluate", "last"));
      arguments.addAll(List.of("--engine", engine, "--run-directory", run.toString()));
      AmbProgram.run(arguments, directory.path().resolve("output"), given, process -> {});
      return Result.of(RunReader.read(new RunDirectory(run)));
    }
  }
}
