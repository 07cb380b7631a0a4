package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.state.StateMap;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseScaleTest {
  private static final int[] COUNTS = {10, 50, 20, 30, 40};
  private static final int EXAMPLES = 150;

  private static Layout layout(int size) {
    return new Layout(
        List.of(
            new Block("w", Block.Kind.WEIGHT, 0, size),
            new Block("r", Block.Kind.RUNNING_STATISTIC, size, 1)));
  }

  private static Gathering gathering(float[][] sums, int[] counts) {
    Gathering gathering = new Gathering(sums.length);
    for (int worker = 0; worker < sums.length; worker++) {
      Message message = new Message().reset(Message.Kind.GRADIENT, 1);
      message.source(worker + 1);
      message.examples(counts[worker]);
      System.arraycopy(
          sums[worker], 0, message.ensureCapacity(sums[worker].length), 0, sums[worker].length);
      gathering.take(message);
    }
    gathering.close();
    return gathering;
  }

  /**
   * The gradient of a quadratic, of length |G|, and noise of variance 1 per coordinate, as the
   * workers' sums; a running statistic, which is none.
   */
  private static float[][] sums(Random random, int size, double length) {
    float[][] sums = new float[COUNTS.length][size + 1];
    for (int worker = 0; worker < COUNTS.length; worker++) {
      for (int i = 0; i < size; i++) {
        double noise = Math.sqrt(COUNTS[worker]) * random.nextGaussian();
        sums[worker][i] = (float) (COUNTS[worker] * length / Math.sqrt(size) + noise);
      }
      sums[worker][size] = 1e6f;
    }
    return sums;
  }

  /**
   * With d = 10,000, |G|² = 100 and B = 150, N is d / |G|² = 100. |S|²/B is B|G|² + d and has the
   * variance 4 B|G|² + 2d; V is d, and has the variance 2d/(n − 1). So |G|² is off by 291 of 15,000
   * and V by 71 of 10,000. A mean over steps is off by less. Six of these are 16 %.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void itIsTheClosedFormOfAQuadratic(long seed) {
    Random random = new Random(Seeds.of(seed));
    NoiseScale scale = new NoiseScale(layout(10_000));
    assertEquals(Double.POSITIVE_INFINITY, scale.examples());
    for (int step = 0; step < 5; step++) {
      scale.observe(gathering(sums(random, 10_000, 10), COUNTS));
      assertEquals(100, scale.examples(), 16);
    }
  }

  /** V is the variance between the workers' means, which weighs each by its examples. */
  @Property(tries = 50)
  void oneStepHasTheRatioOfBothEstimates(@ForAll long seed) {
    int size = 7;
    float[][] sums = sums(new Random(seed), size, 3);
    NoiseScale scale = new NoiseScale(layout(size));
    scale.observe(gathering(sums, COUNTS));
    double variance = 0;
    double square = 0;
    for (int i = 0; i < size; i++) {
      double mean = 0;
      for (float[] sum : sums) {
        mean += sum[i] / EXAMPLES;
      }
      square += mean * mean;
      for (int worker = 0; worker < COUNTS.length; worker++) {
        double off = sums[worker][i] / COUNTS[worker] - mean;
        variance += COUNTS[worker] * off * off / (COUNTS.length - 1);
      }
    }
    double signal = square - variance / EXAMPLES;
    double expected = signal > 0 ? variance / signal : Double.POSITIVE_INFINITY;
    // Differences of numbers that are up to square / signal times as large; floats to doubles.
    double rounding = 100 * TrainingRun.UNIT_ROUNDOFF * (1 + square / Math.abs(signal));
    assertEquals(1 / expected, 1 / scale.examples(), rounding * (1 / expected + 1));
  }

  @Test
  void oneWorkerSaysNothingAndOneWithoutExamplesIsLeftOut() {
    float[][] sums = sums(new Random(1), 100, 10);
    NoiseScale scale = new NoiseScale(layout(100));
    scale.observe(gathering(sums, new int[] {10, 0, 0, 0, 0}));
    assertEquals(Double.POSITIVE_INFINITY, scale.examples());
    scale.observe(gathering(sums, new int[] {10, 50, 0, 0, 0}));
    NoiseScale two = new NoiseScale(layout(100));
    two.observe(gathering(new float[][] {sums[0], sums[1]}, new int[] {10, 50}));
    assertEquals(two.examples(), scale.examples());
  }

  @Test
  void aScaleThatIsRestoredContinuesAsTheOther() {
    Random random = new Random(1);
    NoiseScale scale = new NoiseScale(layout(100));
    scale.observe(gathering(sums(random, 100, 10), COUNTS));
    StateMap state = new StateMap();
    state.save("scale", scale);
    NoiseScale restored = new NoiseScale(layout(100));
    state.restore("scale", restored);
    float[][] next = sums(random, 100, 5);
    scale.observe(gathering(next, COUNTS));
    restored.observe(gathering(next, COUNTS));
    assertEquals(scale.examples(), restored.examples());
  }
}
