package io.github.amb.bench.compute;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.console.MasterConsole;
import io.github.amb.runtime.console.WorkerConsole;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Bytes that master and worker allocate per step in steady state, with and without records. */
public final class AllocationBenchmark extends Benchmark {
  private static final Setting<String> SCHEME =
      text("scheme", "amb", "a scheme", "what master and worker run");
  private static final Setting<List<Integer>> PARAMETERS =
      integers("parameters", "1000,1000000", 1, "sizes of the model");
  private static final Setting<Integer> STEPS = integer("steps", 500, 1, "steps measured");
  private static final Setting<Integer> WARM_UP =
      integer("warm-up", 500, 1, "steps before, which are not measured");

  private static final List<String> NOTES =
      List.of(
          "median (range) over steps, counted per thread by the JVM",
          "written: to files and, as console lines, to a stream that drops them");

  public AllocationBenchmark() {
    super(
        "allocation",
        "bytes allocated per step in a scheme's own code",
        List.of(SCHEME, PARAMETERS, STEPS, WARM_UP));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException {
    Table table =
        new Table(
            "bytes per step, " + given.text(SCHEME),
            "parameters records master_bytes worker_bytes");
    for (int parameters : given.integers(PARAMETERS)) {
      given.say(String.format(Locale.ROOT, "%,d parameters", parameters));
      add(table, given, "discarded", discarded(given, parameters));
      add(table, given, "written", written(given, parameters));
    }
    return new BenchmarkReport(List.of(table), List.of(), NOTES);
  }

  private static void add(Table table, BenchmarkRun given, String records, AllocationRun run) {
    Sample master = run.masterSteps().perStep(given.get(WARM_UP));
    Sample worker = run.workerSteps().perStep(given.get(WARM_UP));
    String parameters = String.format(Locale.ROOT, "%,d", run.parameters());
    table.row(parameters, records, master, worker);
  }

  private static AllocationRun create(BenchmarkRun given, int parameters) {
    return new AllocationRun(parameters, given.get(WARM_UP) + given.get(STEPS));
  }

  private static AllocationRun discarded(BenchmarkRun given, int parameters) {
    AllocationRun run = create(given, parameters);
    run.run(given.text(SCHEME), record -> {}, record -> {});
    return run;
  }

  private static AllocationRun written(BenchmarkRun given, int parameters) throws IOException {
    AllocationRun run = create(given, parameters);
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    try (TemporaryDirectory directory = new TemporaryDirectory();
        RecordLog log = new RecordLog(new RunDirectory(directory.path()))) {
      run.run(
          given.text(SCHEME),
          log.andThen(new MasterConsole(nowhere, 1, 1, nowhere::println)),
          new WorkerConsole(nowhere, false));
    }
    return run;
  }
}
