package io.github.amb.core.codec.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.StateMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * EF21 against its recursion in double precision: logistic regression with the regulariser λ Σ
 * x²/(1 + x²), 20 workers. The examples are those of a9a where {@code AMB_DATA_DIR} has {@code
 * libsvm/a9a.gz}, else random ones of its shape: 14 of 123 features are 1.
 */
class Ef21Test {
  private static final int WORKERS = 20;
  private static final int EXAMPLES = 50;
  private static final int FEATURES = 123;
  private static final int ONES = 14;
  private static final int STEPS = 200;
  private static final double LAMBDA = 0.1;
  private static final double RATE = 0.5;
  private static final int KEPT = 6;
  private static final Layout LAYOUT = CodecSamples.layout(new int[] {FEATURES});
  private static final Coding CODING = Codecs.parse("topk:0.05+ef21+min=1");

  private final int[][] features = new int[WORKERS * EXAMPLES][];
  private final int[] labels = new int[features.length];
  private final double[] parameters = new double[FEATURES]; // of the recursion
  private final double[][] estimates = new double[WORKERS][];

  private void load() throws IOException {
    String folder = System.getenv("AMB_DATA_DIR");
    Path file = folder == null ? null : Path.of(folder, "libsvm", "a9a.gz");
    if (file == null || !Files.exists(file)) {
      draw();
      return;
    }
    try (var in = new GZIPInputStream(Files.newInputStream(file));
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      for (int k = 0; k < features.length; k++) {
        String[] words = lines.readLine().strip().split("[ :]+");
        labels[k] = Double.parseDouble(words[0]) > 0 ? 1 : -1;
        features[k] =
            IntStream.range(0, words.length / 2)
                .map(i -> Integer.parseInt(words[2 * i + 1]) - 1)
                .toArray();
      }
    }
  }

  private void draw() {
    SplittableRandom random = new SplittableRandom(21);
    for (int k = 0; k < features.length; k++) {
      features[k] = random.ints(ONES, 0, FEATURES).distinct().toArray();
      int first = features[k][0];
      labels[k] = random.nextInt(FEATURES) < first ? 1 : -1;
    }
  }

  private double[] gradient(int worker, double[] x) {
    double[] sum = new double[FEATURES];
    for (int k = worker * EXAMPLES; k < (worker + 1) * EXAMPLES; k++) {
      double margin = labels[k] * Arrays.stream(features[k]).mapToDouble(i -> x[i]).sum();
      double slope = -labels[k] / (1 + Math.exp(margin)) / EXAMPLES;
      Arrays.stream(features[k]).forEach(i -> sum[i] += slope);
    }
    for (int i = 0; i < FEATURES; i++) {
      double square = 1 + x[i] * x[i];
      sum[i] += LAMBDA * 2 * x[i] / (square * square);
    }
    return sum;
  }

  private double squaredNorm(double[] x) {
    double[] mean = new double[FEATURES];
    for (int worker = 0; worker < WORKERS; worker++) {
      double[] gradient = gradient(worker, x);
      Arrays.setAll(mean, i -> mean[i] + gradient[i] / WORKERS);
    }
    return Arrays.stream(mean).map(g -> g * g).sum();
  }

  /**
   * One step of a worker in the recursion. Of entries that are nearly equal, those are taken that
   * the program took.
   *
   * @param changed the entries that its message has changed
   */
  private void advance(int worker, int[] changed) {
    double[] gradient = gradient(worker, parameters);
    if (estimates[worker] == null) {
      estimates[worker] = gradient;
      return;
    }
    double[] estimate = estimates[worker];
    double[] missing =
        IntStream.range(0, FEATURES).mapToDouble(i -> gradient[i] - estimate[i]).toArray();
    double[] largest = Arrays.stream(missing).map(Math::abs).sorted().toArray();
    assertTrue(changed.length <= KEPT);
    for (int i : changed) {
      assertTrue(Math.abs(missing[i]) >= largest[FEATURES - KEPT] - 1e-5, "entry " + i);
      estimate[i] += missing[i];
    }
  }

  @Test
  void itsStepsAreThoseOfTheRecursion() throws IOException {
    load();
    var senders = new SharedReplica[WORKERS];
    Arrays.setAll(senders, worker -> sender(worker + 1));
    var receivers = new Replica[WORKERS];
    Arrays.setAll(receivers, worker -> receiver());
    float[] x = new float[FEATURES];
    double atFirst = squaredNorm(parameters);
    for (int step = 1; step <= STEPS; step++) {
      float[] mean = new float[FEATURES];
      double[] here = IntStream.range(0, FEATURES).mapToDouble(i -> x[i]).toArray();
      for (int worker = 0; worker < WORKERS; worker++) {
        double[] gradient = gradient(worker, here);
        float[] rounded = new float[FEATURES];
        IntStream.range(0, FEATURES).forEach(i -> rounded[i] = (float) gradient[i]);
        float[] before = receivers[worker].values.clone();
        pass(senders[worker], receivers[worker], rounded, step);
        float[] after = receivers[worker].values;
        advance(worker, IntStream.range(0, FEATURES).filter(i -> before[i] != after[i]).toArray());
        IntStream.range(0, FEATURES).forEach(i -> mean[i] += after[i] / WORKERS);
      }
      for (int i = 0; i < FEATURES; i++) {
        int entry = i;
        x[i] -= (float) RATE * mean[i];
        parameters[i] -= RATE * Arrays.stream(estimates).mapToDouble(g -> g[entry]).sum() / WORKERS;
      }
    }
    for (int i = 0; i < FEATURES; i++) {
      assertEquals(parameters[i], x[i], 1e-4, "entry " + i);
    }
    assertTrue(squaredNorm(parameters) < 0.01 * atFirst, () -> "" + squaredNorm(parameters));
  }

  private static SharedReplica sender(int rank) {
    return new SharedReplica(LAYOUT, CODING, CodecSamples.STREAMS, CodecCommunicator.UPLINK, rank);
  }

  private static Replica receiver() {
    return new Replica(LAYOUT, CODING, CodecSamples.STREAMS, CodecCommunicator.UPLINK);
  }

  private static int pass(SharedReplica sender, Replica receiver, float[] values, long step) {
    int length = sender.encode(values, step);
    receiver.advance(sender.encoder().message(), length, step);
    return length;
  }

  /** The master's new copy is empty; the worker's has what it sent before. */
  @Test
  void aGenerationBeginsWithAWholeVector() {
    SharedReplica before = sender(1);
    Replica receiver = receiver();
    pass(before, receiver, CodecSamples.laplace(FEATURES, 1), 1);
    pass(before, receiver, CodecSamples.laplace(FEATURES, 2), 2);
    StateMap state = new StateMap();
    state.save("uplink", before);
    SharedReplica after = sender(1);
    state.restore("uplink", after);
    after.enteredGeneration();
    Replica other = receiver();
    for (int step = 3; step < 6; step++) {
      float[] values = CodecSamples.laplace(FEATURES, 3);
      pass(before, receiver, values, step);
      pass(after, other, values, step);
      assertArrayEquals(receiver.values, other.values);
      assertFalse(Arrays.equals(values, other.values));
    }
  }

  /** A worker of an asynchronous scheme may have two results of one step. */
  @Test
  void anotherResultOfAStepIsAnotherMessage() {
    SharedReplica sender = sender(1);
    Replica receiver = receiver();
    pass(sender, receiver, CodecSamples.laplace(FEATURES, 1), 1);
    sender.enteredGeneration();
    float[] first = receiver.values.clone();
    pass(sender, receiver, CodecSamples.laplace(FEATURES, 2), 1);
    assertFalse(Arrays.equals(first, receiver.values));
  }
}
