package io.github.amb.bench.transport;

import io.github.amb.bench.harness.Arguments;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.Parameter;
import io.github.amb.bench.harness.Progress;
import io.github.amb.bench.harness.Report;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long the master needs to reduce an array from its workers and to broadcast one to them,
 * against the array's length and the number of workers, on each engine, beside a raw socket and a
 * memory copy.
 */
public final class BandwidthBenchmark implements Benchmark {
  private static final Parameter LENGTHS =
      Parameter.integers("lengths", "1024,16384,262144,1048576", 1, "floats in the array");
  private static final Parameter WORKERS =
      Parameter.integers("workers", "1,2,4", 1, "numbers of workers");
  private static final Parameter ENGINES =
      Parameter.text("engines", "mpj,sim", "mpj, sim or both", "what carries messages");
  private static final Parameter STEPS = Parameter.integer("steps", 50, 1, "steps timed");
  private static final Parameter OUT =
      Parameter.text(
          "out",
          null,
          "a directory",
          "write bandwidth__LENGTH_WORKERS there for each engine, for amb plot --type"
              + " master_bandwidth");

  /** Links of 10 Gbit/s and 100 µs, nothing else costs time. */
  private static final CostModel LINKS = new CostModel(0, 0, 0, 0, 1e-4, 1.25e9);

  private static final List<String> NOTES =
      List.of(
          "reduce: until the master has summed an array of every worker; broadcast: until it has"
              + " sent one to every worker",
          "sim: virtual time on links of 10 Gbit/s and 100 us",
          "raw socket: as many bytes over one loopback connection, there and back; memory copy: as"
              + " many floats copied");

  @Override
  public String name() {
    return "bandwidth";
  }

  @Override
  public String summary() {
    return "reduce and broadcast against array length and number of workers, on each engine";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(LENGTHS, WORKERS, ENGINES, STEPS, OUT);
  }

  /** Steps of one array length, number of workers and engine: seconds of both parts. */
  private record Times(List<double[]> steps) {
    Sample part(int index) {
      return Sample.of(steps.stream().mapToDouble(step -> 1e3 * step[index]).toArray());
    }

    Sample total() {
      return Sample.of(steps.stream().mapToDouble(step -> 1e3 * (step[0] + step[1])).toArray());
    }
  }

  @Override
  public Report run(Arguments given, Progress progress) throws IOException, InterruptedException {
    List<String> engines = given.texts(ENGINES);
    if (!List.of("mpj", "sim").containsAll(engines)) {
      throw new UsageException(
          "--engines: expected mpj, sim or both, found " + given.text(ENGINES));
    }
    Table table =
        new Table(
            "reduce and broadcast",
            "what",
            "workers",
            "length",
            "reduce_ms",
            "broadcast_ms",
            "total_ms",
            "gb_per_s");
    Table without =
        new Table(
            "as many bytes without an engine", "what", "workers", "length", "total_ms", "gb_per_s");
    int all = given.integers(WORKERS).length * given.integers(LENGTHS).length;
    int done = 0;
    for (int workers : given.integers(WORKERS)) {
      for (int length : given.integers(LENGTHS)) {
        progress.say("%d workers, length %d".formatted(workers, length), done++, all);
        for (String engine : engines) {
          Times times = measure(engine, workers, length, given.integer(STEPS));
          row(table, engine, workers, length, times);
          if (given.text(OUT) != null) {
            write(Path.of(given.text(OUT)).resolve(engine), workers, length, times);
          }
        }
        yardsticks(without, workers, length, given.integer(STEPS));
      }
    }
    return new Report(List.of(table, without), List.of(), NOTES);
  }

  private static void row(Table table, String what, int workers, int length, Times times) {
    Sample total = times.total();
    table.row(
        what, workers, length, times.part(0), times.part(1), total, rate(workers, length, total));
  }

  /** Gigabytes per second through the master, both directions. */
  private static double rate(int workers, int length, Sample millis) {
    return 2e-9 * Float.BYTES * length * workers / (1e-3 * millis.median());
  }

  private static void yardsticks(Table table, int workers, int length, int steps)
      throws IOException, InterruptedException {
    Sample raw = Yardsticks.rawSocket(Float.BYTES * length, workers, steps).map(s -> 1e3 * s);
    Sample copy = Yardsticks.memoryCopy(length, workers, steps).map(s -> 1e3 * s);
    table.row("raw socket", workers, length, raw, rate(workers, length, raw));
    table.row("memory copy", workers, length, copy, rate(workers, length, copy));
  }

  private static Times measure(String engine, int workers, int length, int steps)
      throws IOException, InterruptedException {
    return engine.equals("sim") ? sim(workers, length, steps) : mpj(workers, length, steps);
  }

  private static Times sim(int workers, int length, int steps) {
    List<double[]> times = new ArrayList<>();
    new VirtualCluster(workers + 1, LINKS, LINKS.workTime(), 1)
        .run(
            (communicator, clock) ->
                new StarExchange(communicator, clock, length)
                    .run(steps, (reduce, bcast) -> times.add(new double[] {reduce, bcast})));
    return new Times(times);
  }

  private static Times mpj(int workers, int length, int steps)
      throws IOException, InterruptedException {
    List<double[]> times = new ArrayList<>();
    try (TemporaryDirectory logs = new TemporaryDirectory()) {
      LaunchPlan plan =
          LaunchPlan.local(
              workers + 1,
              TransportBench.HEAP,
              BandwidthRank.class.getName(),
              List.of(Integer.toString(length), Integer.toString(steps)),
              logs.path(),
              line -> add(line, times));
      Outcome outcome = Launcher.run(plan);
      if (outcome.exitCode() != 0) {
        throw new IOException(outcome.cause());
      }
    }
    return new Times(times);
  }

  private static void add(String line, List<double[]> times) {
    String[] words = line.split(" ");
    if (words.length == 3 && words[0].equals("step")) {
      times.add(new double[] {Double.parseDouble(words[1]), Double.parseDouble(words[2])});
    }
  }

  /** The files that older programs wrote: milliseconds, a line per step. */
  private static void write(Path folder, int workers, int length, Times times) throws IOException {
    Path directory = folder.resolve("bandwidth__" + length + "_" + workers);
    Files.createDirectories(directory);
    StringBuilder text = new StringBuilder("last_send,last_bcast,TOTAL\n");
    for (double[] step : times.steps()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%.6f,%.6f,%.6f%n",
              1e3 * step[0],
              1e3 * step[1],
              1e3 * (step[0] + step[1])));
    }
    Files.writeString(directory.resolve("worker_stats.csv"), text.toString());
    Files.writeString(
        directory.resolve("args.json"),
        "{\"len_arr\": %d, \"num_workers\": %d, \"num_steps\": %d, \"num_bytes\": %d}%n"
            .formatted(length, workers, times.steps().size(), (long) length * Float.BYTES));
  }
}
