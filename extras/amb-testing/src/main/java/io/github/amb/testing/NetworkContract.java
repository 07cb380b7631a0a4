package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.Networks;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a network with classes promises: initial parameters that depend on the seed alone, the same
 * bits at every rank, and gradients that are the derivative of the loss. The test of a network
 * extends this class.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NetworkContract {
  private static final long SEED = 1 + Long.getLong("amb.test.seed", 0);
  private static final int[] BATCH = IntStream.range(0, 8).toArray();

  /** Below this a change of the loss in single precision is rounding for the most part. */
  private static final double SMALLEST_CHANGE = 0x1p-12;

  /** Changes the loss visibly where a parameter of each block matters. */
  private static final float STEP = 0x1p-4f;

  /** Names of networks, with arguments as a user types them. */
  protected abstract List<String> networks();

  @ParameterizedTest
  @MethodSource("networks")
  void dataOfMoreClassesThanListedFit(String network) {
    open(network, 1).close();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void allRanksHaveTheSameBits(String network) {
    try (GradientSource one = open(network);
        GradientSource two = open(network)) {
      float[] parameters = initial(one);
      assertArrayEquals(parameters, initial(two));
      float[] found = new float[parameters.length];
      float[] again = new float[parameters.length];
      assertEquals(loss(one, parameters, found), loss(two, parameters, again));
      assertArrayEquals(found, again);
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void theGradientIsTheLosssDerivative(String network) {
    try (GradientSource source = open(network)) {
      float[] parameters = initial(source);
      float[] gradient = new float[parameters.length];
      double loss = loss(source, parameters, gradient);
      boolean found = false;
      for (Block block : source.layout().blocks()) {
        if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
          boolean seen = lowersTheLoss(source, parameters, gradient, loss, block);
          found |= seen;
          if (!seen) {
            assertNoEffect(source, parameters, gradient, loss, block);
          }
        }
      }
      assertTrue(found, "expected a gradient, found zeros");
    }
  }

  /**
   * A step s in one block against its gradient g lowers the loss by s|g|² as s goes to 0, so that
   * for some step it is at most half of that away. A gradient that is not half to twice the
   * derivative has none, nor has one that is rounding alone.
   */
  private static boolean lowersTheLoss(
      GradientSource source, float[] parameters, float[] gradient, double loss, Block block) {
    double square = product(gradient, gradient, block);
    double expected = loss / 2;
    while (square > 0 && expected > loss * SMALLEST_CHANGE) {
      double fall = loss - loss(source, moved(parameters, gradient, -expected / square, block));
      if (Math.abs(fall - expected) <= expected / 2) {
        return true;
      }
      expected /= 2;
    }
    return false;
  }

  /** Expects of a step in one block, and of that back, that the loss is the same. */
  private static void assertNoEffect(
      GradientSource source, float[] parameters, float[] gradient, double loss, Block block) {
    float[] step = new float[parameters.length];
    Random random = new Random(SEED);
    for (int i = block.offset(); i < block.end(); i++) {
      step[i] = random.nextBoolean() ? STEP : -STEP;
    }
    double change =
        loss(source, moved(parameters, step, 1, block))
            - loss(source, moved(parameters, step, -1, block));
    double expected = 2 * product(gradient, step, block);
    assertEquals(expected, change, 2 * loss * SMALLEST_CHANGE, () -> block + ", loss " + loss);
  }

  private static double product(float[] a, float[] b, Block block) {
    double sum = 0;
    for (int i = block.offset(); i < block.end(); i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static float[] moved(float[] from, float[] direction, double step, Block block) {
    float[] parameters = from.clone();
    for (int i = block.offset(); i < block.end(); i++) {
      parameters[i] += (float) (step * direction[i]);
    }
    return parameters;
  }

  private static double loss(GradientSource source, float[] parameters) {
    return loss(source, parameters, new float[parameters.length]);
  }

  private static double loss(GradientSource source, float[] parameters, float[] gradient) {
    source.begin(parameters, SEED);
    double loss = source.accumulate(BATCH, 0, BATCH.length);
    source.finish(gradient);
    return loss + source.deferredLoss();
  }

  private static float[] initial(GradientSource source) {
    float[] parameters = new float[source.layout().size()];
    source.initialize(SEED, parameters);
    return parameters;
  }

  private GradientSource open(String network) {
    return open(network, 0);
  }

  private GradientSource open(String network, int moreClasses) {
    return Networks.open(network, data(Networks.summary(network), moreClasses));
  }

  /**
   * Eight examples of the shape that a network is listed with: noise, unless a test has others.
   *
   * @param moreClasses classes beyond those that it is listed with
   */
  protected DataSet data(NetworkSummary summary, int moreClasses) {
    Random random = new Random(SEED);
    byte[] pixels = new byte[BATCH.length * summary.input().size()];
    random.nextBytes(pixels);
    byte[] labels = new byte[BATCH.length];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) random.nextInt(summary.classes());
    }
    var noise = new ByteExamples(pixels, labels);
    int classes = summary.classes() + moreClasses;
    return new DataSet("noise", summary.input(), classes, noise, noise);
  }
}
