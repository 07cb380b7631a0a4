package io.github.amb.bench.compute;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.seconds;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.Setting;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.Networks;
import io.github.amb.models.onednn.primitive.MatrixProduct;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Examples per second of each network, as a worker computes them, including copies of the vector.
 */
public final class ComputeBenchmark extends Benchmark {
  private static final Setting<String> NETWORKS =
      text("networks", "all", "networks (amb models), joined by commas", "which");
  private static final Setting<List<Integer>> BATCH_SIZES =
      integers("batch-sizes", "1,8,32,128", 1, "examples per step");
  private static final Setting<Integer> REPEATS =
      integer("repeats", 9, 1, "times each is measured");
  private static final Setting<Double> SLICE =
      seconds("slice", 0.1, "least time of one measurement");

  private static final int WARM_UP = 2;
  private static final double PEAK_SECONDS = 0.2;

  private static final List<String> NOTES =
      List.of(
          "one gradient sum per step, vector copied in and out, no update; batch sizes take turns",
          "gflop_per_s: of convolutions and dense layers; share_of_peak: to a product of matrices"
              + " of 1,024 x 1,024 floats, measured before and after each network",
          "threads of the native library are as OMP_NUM_THREADS says, 1 unless set");

  public ComputeBenchmark() {
    super(
        "compute",
        "examples per second of each network, and its share of the processor's peak",
        List.of(NETWORKS, BATCH_SIZES, REPEATS, SLICE));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) {
    List<String> networks =
        given.text(NETWORKS).equals("all") ? withLayers() : given.texts(NETWORKS);
    List<NetworkSummary> summaries = networks.stream().map(Networks::summary).toList();
    Table table =
        new Table(
            "gradients",
            "network batch_size examples_per_s step_ms speed_to_first gflop_per_s share_of_peak");
    for (int i = 0; i < networks.size(); i++) {
      given.say(networks.get(i), i, networks.size());
      measure(networks.get(i), summaries.get(i), given, table);
    }
    return new BenchmarkReport(
        List.of(table), List.of(), NOTES, Map.of("natives", Networks.describeEngine()));
  }

  private static void measure(
      String name, NetworkSummary network, BenchmarkRun given, Table table) {
    int[] sizes = given.integers(BATCH_SIZES);
    int most = Arrays.stream(sizes).max().orElseThrow();
    double peak = MatrixProduct.operationsPerSecond(PEAK_SECONDS);
    double[][] seconds;
    try (GradientSource source = Networks.open(name, NoiseData.of(network, most))) {
      seconds = time(new GradientLoop(source, most), sizes, given, name);
    }
    peak = Math.max(peak, MatrixProduct.operationsPerSecond(PEAK_SECONDS));
    long operations = Networks.operations(name).orElseThrow();
    double first = sizes[0] / Sample.of(seconds[0]).median();
    for (int i = 0; i < sizes.length; i++) {
      int size = sizes[i];
      Sample speed = Sample.of(seconds[i]).map(s -> size / s);
      Sample millis = Sample.of(seconds[i]).map(s -> 1e3 * s);
      double work = operations * speed.median();
      table.row(
          name, size, speed, millis.median(), speed.median() / first, work / 1e9, work / peak);
    }
  }

  /** Seconds per step by size and repeat; the sizes alternate. */
  private static double[][] time(GradientLoop loop, int[] sizes, BenchmarkRun given, String name) {
    int repeats = given.get(REPEATS);
    double[][] seconds = new double[sizes.length][repeats];
    int[] steps = new int[sizes.length];
    Arrays.fill(steps, 1);
    for (int repeat = -WARM_UP; repeat < repeats; repeat++) {
      for (int i = 0; i < sizes.length; i++) {
        long start = System.nanoTime();
        for (int step = 0; step < steps[i]; step++) {
          loop.step(sizes[i]);
        }
        double time = (System.nanoTime() - start) / 1e9 / steps[i];
        if (repeat < 0) {
          steps[i] = (int) Math.ceil(given.get(SLICE) / time);
        } else {
          seconds[i][repeat] = time;
        }
        given.say(name);
      }
    }
    return seconds;
  }

  private static List<String> withLayers() {
    return Networks.ALL.all().stream()
        .filter(NetworkDefinition::hasLayers)
        .map(NetworkDefinition::name)
        .toList();
  }
}
