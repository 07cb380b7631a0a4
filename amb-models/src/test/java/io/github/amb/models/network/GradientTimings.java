package io.github.amb.models.network;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.ImageShape;
import io.github.amb.models.data.example.ByteExamples;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Prints examples per second of CPU time of a network; run by hand with OMP_NUM_THREADS=1.
 *
 * <p>Arguments: network, then partition sizes that divide 512.
 */
final class GradientTimings {
  private static final int EXAMPLES = 512;

  private GradientTimings() {}

  public static void main(String[] arguments) throws Exception {
    String network = arguments.length > 0 ? arguments[0] : "mnist-cnn";
    try (GradientSource source = Networks.open(network, noise(Networks.summary(network)))) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(1, parameters);
      Measurement measurement = new Measurement(source, parameters);
      int[] sizes =
          arguments.length > 1
              ? Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray()
              : new int[] {1, 8, 32, 128, EXAMPLES};
      double[] seconds = measurement.medians(sizes);
      for (int i = 0; i < sizes.length; i++) {
        System.out.printf(
            "%s partition %3d: %7.0f examples/s, x%.3f of the last%n",
            network, sizes[i], EXAMPLES / seconds[i], seconds[i] / seconds[sizes.length - 1]);
      }
      measurement.evaluation();
    }
    Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM") || line.startsWith("VmRSS"))
        .forEach(System.out::println);
  }

  private static DataSet noise(NetworkSummary network) {
    ImageShape shape = network.input();
    Random random = new Random(1);
    byte[] pixels = new byte[EXAMPLES * shape.size()];
    random.nextBytes(pixels);
    byte[] labels = new byte[EXAMPLES];
    for (int i = 0; i < EXAMPLES; i++) {
      labels[i] = (byte) (i % network.classes());
    }
    var examples = new ByteExamples(pixels, labels);
    return new DataSet("noise", shape, network.classes(), examples, examples);
  }

  /** Interleaves the partition sizes, so that a change of the machine's speed hits all alike. */
  private static final class Measurement {
    private static final int ROUNDS = 7;

    private final GradientSource source;
    private final float[] parameters;
    private final float[] gradient;
    private final int[] order = IntStream.range(0, EXAMPLES).toArray();

    Measurement(GradientSource source, float[] parameters) {
      this.source = source;
      this.parameters = parameters;
      this.gradient = new float[parameters.length];
    }

    double[] medians(int[] sizes) {
      double[][] seconds = new double[sizes.length][ROUNDS];
      for (int round = -2; round < ROUNDS; round++) {
        for (int i = 0; i < sizes.length; i++) {
          double time = step(sizes[i]);
          if (round >= 0) {
            seconds[i][round] = time;
          }
        }
      }
      return Arrays.stream(seconds)
          .mapToDouble(times -> Arrays.stream(times).sorted().toArray()[ROUNDS / 2])
          .toArray();
    }

    /** Of this thread, which does all the work, so that other programs' work does not count. */
    private static long cpuTime() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private double step(int partition) {
      long start = cpuTime();
      source.begin(parameters, 1);
      for (int from = 0; from < EXAMPLES; from += partition) {
        source.accumulate(order, from, from + partition);
      }
      source.finish(gradient);
      return (cpuTime() - start) / 1e9;
    }

    void evaluation() {
      long start = 0;
      for (int round = 0; round < 3; round++) {
        start = cpuTime();
        source.evaluate(parameters, order, 0, EXAMPLES);
      }
      double seconds = (cpuTime() - start) / 1e9;
      System.out.printf("evaluation: %.0f examples/s%n", EXAMPLES / seconds);
    }
  }
}
