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
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.Setting;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.device.OpenClDevices;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.Networks;
import io.github.amb.models.onednn.primitive.MatrixProduct;
import io.github.amb.runtime.config.TrainSettings;
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

  private static final Setting<String> DEVICE =
      Setting.oneOf("device", TrainSettings.CPU, TrainSettings.OPENCL)
          .help("what computes; gradients of a device are compared with the processor's");

  private static final int WARM_UP = 2;
  private static final int COMPARED = 8;
  private static final double PEAK_SECONDS = 0.2;

  private static final List<String> NOTES =
      List.of(
          "distance_per_million: of the furthest block of a gradient, of the whole gradient's length",
          "one gradient sum per step, vector copied in and out, no update; batch sizes take turns",
          "gflop_per_s: of convolutions and dense layers; share_of_peak: to a product of matrices"
              + " of 1,024 x 1,024 floats, measured before and after each network",
          "threads of the native library are as OMP_NUM_THREADS says, 1 unless set");

  public ComputeBenchmark() {
    super(
        "compute",
        "examples per second of each network, and its share of the processor's peak",
        List.of(NETWORKS, BATCH_SIZES, REPEATS, SLICE, DEVICE));
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
    Table distances = new Table("distance", "network examples block distance_per_million");
    for (int i = 0; i < networks.size(); i++) {
      given.say(networks.get(i), i, networks.size());
      if (given.get(DEVICE).equals(TrainSettings.OPENCL)) {
        compare(networks.get(i), summaries.get(i), distances);
      }
      measure(networks.get(i), summaries.get(i), given, table);
    }
    boolean compared = given.get(DEVICE).equals(TrainSettings.OPENCL);
    Map<String, String> natives =
        compared
            ? Map.of("opencl_device", OpenClDevices.list().get(0).toString())
            : Networks.describeEngine();
    return new BenchmarkReport(
        compared ? List.of(table, distances) : List.of(table),
        List.of(),
        NOTES,
        Map.of("natives", natives));
  }

  private static GradientSource open(String network, DataSet data, String device) {
    NetworkDefinition definition = Networks.named(network);
    return device.equals(TrainSettings.CPU)
        ? Networks.open(network, data)
        : Networks.openOn(OpenClDevices.list().get(0), definition, NetworkOptions.USUAL, data);
  }

  /** Adds the block of the gradient that is furthest from the processor's, of the whole length. */
  private static void compare(String name, NetworkSummary network, Table table) {
    DataSet data = NoiseData.of(network, COMPARED);
    float[][] gradients = new float[2][];
    List<Block> blocks;
    try (GradientSource known = open(name, data, TrainSettings.CPU);
        GradientSource device = open(name, data, TrainSettings.OPENCL)) {
      gradients[0] = new GradientLoop(known, COMPARED).step(COMPARED);
      gradients[1] = new GradientLoop(device, COMPARED).step(COMPARED);
      blocks = known.layout().blocks();
    }
    double whole = 0;
    for (float value : gradients[0]) {
      whole += (double) value * value;
    }
    String furthest = "";
    double most = 0;
    for (Block block : blocks) {
      double sum = 0;
      for (int i = block.offset(); i < block.end(); i++) {
        sum += Math.pow((double) gradients[0][i] - gradients[1][i], 2);
      }
      double distance = Math.sqrt(sum / whole);
      if (!(distance <= most)) {
        most = distance;
        furthest = block.name();
      }
    }
    table.row(name, COMPARED, furthest, 1e6 * most);
  }

  private static void measure(
      String name, NetworkSummary network, BenchmarkRun given, Table table) {
    int[] sizes = given.integers(BATCH_SIZES);
    int most = Arrays.stream(sizes).max().orElseThrow();
    double peak = MatrixProduct.operationsPerSecond(PEAK_SECONDS);
    double[][] seconds;
    try (GradientSource source = open(name, NoiseData.of(network, most), given.get(DEVICE))) {
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
