package io.github.amb.bench.transport;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.amb.core.command.Program;
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
 * Measures the engine next to a raw socket and to MPJ Express' own operations, by turns in one run,
 * and prints a table and JSON.
 *
 * <p>{@code java … TransportBench [rounds] [floats] [workers] [JVM flags of the ranks…]}
 */
public final class TransportBench {
  static final List<String> HEAP = List.of("-Xmx1g", "-XX:MaxDirectMemorySize=2g");

  private TransportBench() {}

  /** Runs the ping-pong on two ranks and the step on a master and its workers. */
  public static void main(String[] args) throws Exception {
    Program.start();
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
    int floats = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    int workers = args.length > 2 ? Integer.parseInt(args[2]) : 3;
    List<String> flags = new ArrayList<>(HEAP);
    flags.addAll(Arrays.asList(args).subList(Math.min(3, args.length), args.length));
    System.out.println(
        new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .writeValueAsString(measure(rounds, floats, workers, flags)));
  }

  /**
   * Measures, and prints the tables.
   *
   * @param flags of the ranks' JVMs
   * @return the results by name
   */
  static Map<String, Object> measure(int rounds, int floats, int workers, List<String> flags)
      throws IOException, InterruptedException {
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("cores", Runtime.getRuntime().availableProcessors());
    results.put("java", System.getProperty("java.vm.version"));
    results.put("pingpong", pingPong(run(2, flags, "pingpong", rounds)));
    results.put("step", steps(run(workers + 1, flags, "step", 30 * rounds, floats)));
    return results;
  }

  private static List<String[]> run(int ranks, List<String> flags, Object... arguments)
      throws IOException, InterruptedException {
    List<String[]> lines = new ArrayList<>();
    Path logs = Files.createTempDirectory("transport-bench");
    LaunchPlan plan =
        LaunchPlan.local(
            ranks,
            flags,
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
