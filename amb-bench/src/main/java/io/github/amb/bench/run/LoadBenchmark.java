package io.github.amb.bench.run;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkOptions;
import io.github.amb.bench.harness.BenchmarkProgress;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.Parameter;
import io.github.amb.bench.harness.ResidentMemory;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.core.command.Setting;
import io.github.amb.models.data.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Time and memory to load a data set, in a separate process. */
public final class LoadBenchmark extends Benchmark {
  private static final Setting<String> DATA_SET =
      Parameter.text("data-set", "cifar10", "a data set (amb data list)", "what is loaded");
  private static final Setting<String> DATA_DIR =
      Parameter.text("data-dir", null, "a directory", "where the data set's files are");
  private static final Setting<Integer> REPEATS =
      Parameter.integer("repeats", 5, 1, "processes that load it, after one that is not counted");

  private static final double MOST_SECONDS = 2;
  private static final double MOST_MEGABYTES = 200;

  /** The measurements of one process. */
  private static final List<String> COLUMNS =
      List.of("empty_mb", "load_s", "loaded_mb", "read_all_s", "read_all_mb", "read_all_own_mb");

  public LoadBenchmark() {
    super("load", "time and memory to load a data set");
  }

  @Override
  public List<Setting<?>> parameters() {
    return List.of(DATA_SET, DATA_DIR, REPEATS);
  }

  @Override
  public void check(BenchmarkOptions given) {
    ResidentMemory.requireAvailable();
  }

  @Override
  public BenchmarkReport run(BenchmarkOptions given, BenchmarkProgress progress) throws Exception {
    String name = given.text(DATA_SET);
    String directory = given.text(DATA_DIR);
    DataSets.definition(name).checksums(directory == null ? null : Path.of(directory));
    int repeats = given.get(REPEATS);
    double[][] columns = new double[COLUMNS.size()][repeats];
    for (int repeat = -1; repeat < repeats; repeat++) {
      progress.say(name, repeat + 1, repeats + 1);
      double[] found = probe(name, directory);
      for (int i = 0; repeat >= 0 && i < found.length; i++) {
        columns[i][repeat] = found[i];
      }
    }
    return report(name, Arrays.stream(columns).map(Sample::of).toList());
  }

  private static double[] probe(String name, String directory) throws IOException {
    try (LoadProcess process = new LoadProcess(name, directory)) {
      LoadProcess.Part empty = process.next();
      LoadProcess.Part load = process.next();
      LoadProcess.Part read = process.next();
      return new double[] {
        empty.memory().peak(),
        load.seconds(),
        load.memory().peak(),
        read.seconds(),
        read.memory().peak(),
        read.memory().own()
      };
    }
  }

  private static BenchmarkReport report(String name, List<Sample> columns) {
    List<String> names = new ArrayList<>(List.of("data_set"));
    names.addAll(COLUMNS);
    Table table = new Table("loading", names.toArray(String[]::new));
    List<Object> row = new ArrayList<>(List.of(name));
    row.addAll(columns);
    table.row(row.toArray());
    return new BenchmarkReport(
        List.of(table),
        List.of(
            new Target("seconds to load", MOST_SECONDS, median("load_s", columns)),
            new Target("resident MB, loaded", MOST_MEGABYTES, median("loaded_mb", columns)),
            new Target("resident MB, all read", MOST_MEGABYTES, median("read_all_mb", columns))),
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
