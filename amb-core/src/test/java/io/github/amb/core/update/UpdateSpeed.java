package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints how long updates of 1 and 10 million parameters take on one thread, next to a plain copy:
 * median milliseconds, and the memory traffic of a loop that would touch every array once.
 *
 * <p>Not a test. Run it with {@code java -cp amb-core/target/classes:amb-core/target/test-classes
 * io.github.amb.core.update.UpdateSpeed}.
 */
final class UpdateSpeed {
  private static final int REPETITIONS = 41;
  private static final int WORKERS = 3;
  private static final int[] RANKS = {1, 2, 3};

  private UpdateSpeed() {}

  public static void main(String[] arguments) {
    for (int round = 0; round < 2; round++) {
      measure(1_000_000);
      measure(10_000_000);
    }
  }

  private static void measure(int size) {
    float[] w = new float[size];
    float[][] gradients = new float[WORKERS][size];
    for (float[] gradient : gradients) {
      Arrays.fill(gradient, 1e-3f);
    }
    print("copy", size, 2, () -> System.arraycopy(gradients[0], 0, w, 0, size));
    for (UpdateRules.Entry entry : UpdateRules.all().all()) {
      UpdateRule rule = entry.create(size);
      int traffic = 3 + 2 * rule.state().size();
      print(entry.name(), size, traffic, () -> step(rule, w, gradients[0]));
      Layout layout = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, size)));
      MasterUpdate update = new MasterUpdate(layout, rule, new WeightDecay(5e-4));
      print(
          "master " + entry.name(),
          size,
          traffic + WORKERS,
          () -> update.apply(w, gradients, RANKS, WORKERS, 1 << 20, 1e-3));
    }
  }

  private static void step(UpdateRule rule, float[] w, float[] gradient) {
    rule.beginStep();
    rule.apply(w, gradient, 0, w.length, 1e-3);
  }

  private static void print(String name, int size, int arrays, Runnable work) {
    double[] millis = new double[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
      long start = System.nanoTime();
      work.run();
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    double median = millis[REPETITIONS / 2];
    double traffic = arrays * 4e-6 * size / median;
    System.out.printf(
        Locale.ROOT, "%-11s %,11d  %6.2f ms  %5.1f GB/s%n", name, size, median, traffic);
  }
}
