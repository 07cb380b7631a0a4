package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.DATA_DIR;
import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.AmbProgram;
import io.github.amb.bench.harness.AnsweringProcess;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.ResidentMemory;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.core.option.Setting;
import io.github.amb.models.data.DataSets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Time and memory to load a data set, in a separate process. */
public final class LoadBenchmark extends Benchmark {
  private static final Setting<String> DATA_SET =
      text("data-set", "cifar10", "a data set (amb data list)", "what is loaded");
  private static final Setting<Integer> REPEATS =
      integer("repeats", 5, 1, "processes that load it, after one that is not counted");

  private static final double MAX_SECONDS = 2;
  private static final double MAX_MEGABYTES = 200;

  /** The measurements of one process. */
  private static final List<String> COLUMNS =
      List.of("empty_mb", "load_s", "loaded_mb", "read_all_s", "read_all_mb", "read_all_own_mb");

  public LoadBenchmark() {
    super("load", "time and memory to load a data set", List.of(DATA_SET, DATA_DIR, REPEATS));
  }

  @Override
  public void check(BenchmarkRun given) {
    ResidentMemory.requireAvailable();
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws Exception {
    String name = given.text(DATA_SET);
    String directory = given.text(DATA_DIR);
    DataSets.definition(name).checksums(given.path(DATA_DIR));
    int repeats = given.get(REPEATS);
    double[][] columns = new double[COLUMNS.size()][repeats];
    for (int repeat = -1; repeat < repeats; repeat++) {
      given.say(name, repeat + 1, repeats + 1);
      double[] found = probe(name, directory);
      for (int i = 0; repeat >= 0 && i < found.length; i++) {
        columns[i][repeat] = found[i];
      }
    }
    return report(name, Arrays.stream(columns).map(Sample::of).toList());
  }

  private static double[] probe(String name, String directory) throws IOException {
    // A small initial heap, as Java's default depends on the machine's memory.
    List<String> flags = List.of("-XX:+UseSerialGC", "-Xms8m", "-Xmx256m");
    List<String> data = directory == null ? List.of(name) : List.of(name, directory);
    List<String> command = AmbProgram.java(flags, LoadProbe.class, data);
    try (AnsweringProcess process = new AnsweringProcess("the loading process", command)) {
      process.answer(LoadProbe.ANSWER);
      ResidentMemory empty = process.memory();
      process.ask("");
      double load = process.answer(LoadProbe.ANSWER);
      ResidentMemory loaded = process.memory();
      process.ask("");
      double read = process.answer(LoadProbe.ANSWER);
      ResidentMemory all = process.memory();
      return new double[] {empty.peak(), load, loaded.peak(), read, all.peak(), all.own()};
    }
  }

  private static BenchmarkReport report(String name, List<Sample> columns) {
    Table table = new Table("loading", "data_set " + String.join(" ", COLUMNS));
    List<Object> row = new ArrayList<>(List.of(name));
    row.addAll(columns);
    table.row(row.toArray());
    return new BenchmarkReport(
        List.of(table),
        List.of(
            new Target("seconds to load", MAX_SECONDS, median("load_s", columns)),
            new Target("resident MB, loaded", MAX_MEGABYTES, median("loaded_mb", columns)),
            new Target("resident MB, all read", MAX_MEGABYTES, median("read_all_mb", columns))),
        List.of(
            "files are checked by their SHA-256, labels by their range",
            "MB are the process' peak: the JVM, and pages of mapped files, which ranks share and"
                + " the kernel may drop",
            "own MB are without pages of files"));
  }

  private static double median(String column, List<Sample> columns) {
    return columns.get(COLUMNS.indexOf(column)).median();
  }
}
