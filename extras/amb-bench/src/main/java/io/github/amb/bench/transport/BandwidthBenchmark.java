package io.github.amb.bench.transport;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.text;
import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.harness.BenchRank;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.launch.SiteMpi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The seconds that the master needs to reduce an array from its workers and to broadcast one to
 * them, against the array's length and the number of workers, on each engine. A raw socket and a
 * memory copy are measured beside them.
 */
public final class BandwidthBenchmark extends Benchmark {
  private static final String MPJ = "mpj";
  private static final String OPENMPI = "openmpi";
  private static final String SIM = "sim";
  private static final List<String> ALL = List.of(MPJ, OPENMPI, SIM);

  private static final Setting<List<Integer>> LENGTHS =
      integers("lengths", "1024,16384,262144,1048576", 1, "floats in the array");
  private static final Setting<List<Integer>> WORKERS =
      integers("workers", "1,2,4", 1, "numbers of workers");
  private static final Setting<String> ENGINES =
      text(
          "engines",
          null,
          "some of mpj,openmpi,sim; default: all that are here",
          "what carries messages");
  private static final Setting<Integer> STEPS = integer("steps", 50, 1, "steps timed");
  private static final Setting<String> OUT =
      text(
          "out",
          null,
          "a directory",
          "write bandwidth__LENGTH_WORKERS there, in a folder for each engine and yardstick, for"
              + " amb plot --type master_bandwidth");

  private static final List<String> HEAP = List.of("-Xmx1g", "-XX:MaxDirectMemorySize=2g");

  /** Links of 10 Gbit/s and 100 µs; nothing else takes time. */
  private static final CostModel LINKS = new CostModel(0, 0, 0, 0, 0, 0, 1e-4, 1.25e9);

  private static final List<String> NOTES =
      List.of(
          "broadcast: until the master has sent an array to every worker; reduce: from then until"
              + " it has summed one of every worker",
          "sim: virtual time on links of 10 Gbit/s and 100 us",
          "raw socket: as many bytes over one loopback connection, there and back; memory copy: as"
              + " many floats copied");

  public BandwidthBenchmark() {
    super(
        "bandwidth",
        "reduce and broadcast against array length and number of workers, on each engine",
        List.of(LENGTHS, WORKERS, ENGINES, STEPS, OUT));
  }

  /**
   * Seconds of reduction and broadcast in each step, for one array length, number of workers and
   * engine.
   */
  private record Times(List<double[]> steps) {
    Sample part(int index) {
      return Sample.of(steps.stream().mapToDouble(step -> 1e3 * step[index]).toArray());
    }

    Sample total() {
      return Sample.of(steps.stream().mapToDouble(step -> 1e3 * (step[0] + step[1])).toArray());
    }

    /** The names of the columns, then a line of milliseconds per step. */
    List<String> lines() {
      List<String> lines = new ArrayList<>(List.of("last_send,last_bcast,TOTAL"));
      for (double[] step : steps) {
        lines.add(
            format("%.6f,%.6f,%.6f", 1e3 * step[0], 1e3 * step[1], 1e3 * (step[0] + step[1])));
      }
      return lines;
    }
  }

  @Override
  public void check(BenchmarkRun given) {
    engines(given);
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException, InterruptedException {
    List<String> engines = engines(given);
    Path out = given.path(OUT);
    Table table =
        new Table(
            "reduce and broadcast", "what workers length reduce_ms broadcast_ms total_ms gb_per_s");
    Table without = new Table("without an engine", "what workers length total_ms gb_per_s");
    int all = given.integers(WORKERS).length * given.integers(LENGTHS).length;
    int done = 0;
    for (int workers : given.integers(WORKERS)) {
      for (int length : given.integers(LENGTHS)) {
        given.say("%d workers, length %d".formatted(workers, length), done++, all);
        for (String engine : engines) {
          Times times = measure(engine, workers, length, given.get(STEPS));
          row(table, engine, workers, length, times);
          if (out != null) {
            write(out.resolve(engine), workers, length, times.lines());
          }
        }
        yardsticks(without, workers, length, given.get(STEPS), out);
      }
    }
    return new BenchmarkReport(List.of(table, without), List.of(), NOTES);
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

  private static void yardsticks(Table table, int workers, int length, int steps, Path out)
      throws IOException, InterruptedException {
    Map<String, Sample> samples = new LinkedHashMap<>();
    samples.put("raw socket", Yardsticks.rawSocket(Float.BYTES * length, workers, steps));
    samples.put("memory copy", Yardsticks.memoryCopy(length, workers, steps));
    for (Map.Entry<String, Sample> yardstick : samples.entrySet()) {
      Sample millis = yardstick.getValue().map(s -> 1e3 * s);
      table.row(yardstick.getKey(), workers, length, millis, rate(workers, length, millis));
      if (out != null) {
        List<String> lines = new ArrayList<>(List.of("TOTAL"));
        millis.values().forEach(value -> lines.add(format("%.6f", value)));
        write(out.resolve(yardstick.getKey()), workers, length, lines);
      }
    }
  }

  /** The requested engines, or those that are available. */
  private static List<String> engines(BenchmarkRun given) {
    if (given.text(ENGINES) == null) {
      return SiteMpi.present().isPresent() ? ALL : List.of(MPJ, SIM);
    }
    List<String> engines = given.texts(ENGINES);
    if (!ALL.containsAll(engines)) {
      throw new UsageException(
          "--engines: expected some of %s, found %s", String.join(",", ALL), given.text(ENGINES));
    }
    if (engines.contains(OPENMPI)) {
      SiteMpi.find();
    }
    return engines;
  }

  private static Times measure(String engine, int workers, int length, int steps)
      throws IOException, InterruptedException {
    List<double[]> times = new ArrayList<>();
    List<String> arguments = List.of(Integer.toString(length), Integer.toString(steps));
    Consumer<String> output = line -> add(line, times);
    switch (engine) {
      case SIM -> sim(workers, length, steps, times);
      case OPENMPI -> {
        List<String> rank = Mpirun.java(StepExchange.class, arguments.toArray(String[]::new));
        Mpirun.run(workers + 1, rank, Map.of(), output);
      }
      default -> BenchRank.launch(workers + 1, HEAP, StepExchange.class, arguments, output);
    }
    return new Times(times);
  }

  private static void sim(int workers, int length, int steps, List<double[]> times) {
    new VirtualCluster(workers + 1, LINKS, LINKS.workTime(), 1)
        .run(
            (communicator, clock) ->
                new StepExchange(communicator, clock, length).run(steps, times::add));
  }

  private static void add(String line, List<double[]> times) {
    String[] words = line.split(" ");
    if (words.length == 3 && words[0].equals("step")) {
      times.add(new double[] {Double.parseDouble(words[1]), Double.parseDouble(words[2])});
    }
  }

  /**
   * Writes the files that predecessor programs wrote: names of columns, then milliseconds per step.
   */
  private static void write(Path folder, int workers, int length, List<String> lines)
      throws IOException {
    Path directory = folder.resolve("bandwidth__" + length + "_" + workers);
    Files.createDirectories(directory);
    Files.write(directory.resolve("worker_stats.csv"), lines);
    Files.writeString(
        directory.resolve("args.json"),
        "{\"len_arr\": %s, \"num_workers\": %s, \"num_steps\": %s, \"num_bytes\": %s}\n"
            .formatted(length, workers, lines.size() - 1, (long) length * Float.BYTES));
  }
}
