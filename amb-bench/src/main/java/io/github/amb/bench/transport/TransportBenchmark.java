package io.github.amb.bench.transport;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkOptions;
import io.github.amb.bench.harness.BenchmarkProgress;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.Parameter;
import io.github.amb.core.command.Setting;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The engine next to a raw socket and to MPJ Express' own operations, by turns in one run: a
 * ping-pong on two ranks, and the step of a master and its workers. It prints its own tables.
 */
public final class TransportBenchmark extends Benchmark {
  static final List<String> HEAP = List.of("-Xmx1g", "-XX:MaxDirectMemorySize=2g");

  private static final Setting<Integer> ROUNDS =
      Parameter.integer("rounds", 7, 1, "how often all is measured");
  private static final Setting<Integer> PARAMETERS =
      Parameter.integer("parameters", 1_000_000, 1, "floats in a step's messages");
  private static final Setting<Integer> WORKERS =
      Parameter.integer("workers", 3, 1, "workers of the step");

  public TransportBenchmark() {
    super("transport", "messages over the engine, a raw socket and MPJ Express' own calls");
  }

  @Override
  public List<Setting<?>> parameters() {
    return List.of(ROUNDS, PARAMETERS, WORKERS);
  }

  @Override
  public BenchmarkReport run(BenchmarkOptions given, BenchmarkProgress progress)
      throws IOException, InterruptedException {
    progress.say("starting ranks");
    int rounds = given.get(ROUNDS);
    int floats = given.get(PARAMETERS);
    int workers = given.get(WORKERS);
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("cores", Runtime.getRuntime().availableProcessors());
    results.put("java", System.getProperty("java.vm.version"));
    results.put("pingpong", pingPong(run(2, "pingpong", rounds)));
    results.put("step", steps(run(workers + 1, "step", 30 * rounds, floats)));
    return new BenchmarkReport(List.of(), List.of(), List.of(), results);
  }

  private static List<String[]> run(int ranks, Object... arguments)
      throws IOException, InterruptedException {
    List<String[]> lines = new ArrayList<>();
    Path logs = Files.createTempDirectory("transport-bench");
    LaunchPlan plan =
        LaunchPlan.local(
            ranks,
            HEAP,
            TransportRank.class.getName(),
            Arrays.stream(arguments).map(String::valueOf).toList(),
            logs,
            line -> lines.add(line.split(" ")));
    RunOutcome outcome = Launcher.run(plan);
    if (outcome.exitCode() != 0) {
      throw new IOException(outcome.cause() + "; logs are in " + logs);
    }
    return lines;
  }

  private static List<Map<String, Object>> pingPong(List<String[]> lines) {
    Map<Integer, Map<String, List<double[]>>> bySize = new TreeMap<>();
    for (String[] line : lines) {
      bySize
          .computeIfAbsent(Integer.parseInt(line[2]), size -> new LinkedHashMap<>())
          .computeIfAbsent(line[1], name -> new ArrayList<>())
          .add(new double[] {Double.parseDouble(line[3]), Double.parseDouble(line[4])});
    }
    System.out.println("One-way time in microseconds (processor time of both ranks):");
    System.out.printf(
        Locale.ROOT,
        "%11s %20s %20s %20s %11s%n",
        "bytes",
        "raw socket",
        "engine",
        "MPI Send/Recv",
        "raw/engine");
    List<Map<String, Object>> rows = new ArrayList<>();
    bySize.forEach((size, times) -> rows.add(row(size, times)));
    return rows;
  }

  private static Map<String, Object> row(int size, Map<String, List<double[]>> times) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("bytes", size);
    times.forEach(
        (name, values) -> {
          row.put(name + "_us", median(values, 0));
          row.put(name + "_cpu_us", median(values, 1));
        });
    row.put("raw_over_engine", ratio(times.get("raw"), times.get("engine")));
    System.out.printf(
        Locale.ROOT,
        "%11d %10.1f (%7.0f) %10.1f (%7.0f) %10.1f (%7.0f) %11.2f%n",
        row.values().toArray());
    return row;
  }

  /** Median over the rounds of the ratio of times within a round. */
  private static double ratio(List<double[]> of, List<double[]> to) {
    List<double[]> ratios = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      ratios.add(new double[] {of.get(i)[0] / to.get(i)[0]});
    }
    return median(ratios, 0);
  }

  private static double median(List<double[]> values, int index) {
    double[] sorted = values.stream().mapToDouble(value -> value[index]).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static List<Map<String, Object>> steps(List<String[]> lines) {
    System.out.println("Step: parameters to all workers, a gradient from each:");
    System.out.printf(
        Locale.ROOT,
        "%11s %8s %10s %10s %10s %20s %20s%n",
        "transport",
        "workers",
        "floats",
        "median ms",
        "best ms",
        "bytes allocated, own",
        "all threads");
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String[] line : lines) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("transport", line[1]);
      row.put("workers", Integer.parseInt(line[2]));
      row.put("floats", Integer.parseInt(line[3]));
      row.put("median_ms", Double.parseDouble(line[4]) / 1e3);
      row.put("best_decile_ms", Double.parseDouble(line[5]) / 1e3);
      row.put("allocated_own_bytes", Long.parseLong(line[6]));
      row.put("allocated_all_bytes", Long.parseLong(line[7]));
      System.out.printf(
          Locale.ROOT, "%11s %8d %10d %10.2f %10.2f %20d %20d%n", row.values().toArray());
      rows.add(row);
    }
    return rows;
  }
}
