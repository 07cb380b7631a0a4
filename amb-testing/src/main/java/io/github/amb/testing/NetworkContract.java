package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.example.ByteExamples;
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

  /** Names of networks, with arguments as a user types them. */
  protected abstract List<String> networks();

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

  /**
   * A step s against the gradient g lowers the loss by s|g|² as s goes to 0, so that for some step
   * it is at most half of that away. A gradient that is not half to twice the derivative has none.
   */
  @ParameterizedTest
  @MethodSource("networks")
  void theGradientIsTheLosssDerivative(String network) {
    try (GradientSource source = open(network)) {
      float[] parameters = initial(source);
      float[] gradient = new float[parameters.length];
      double loss = loss(source, parameters, gradient);
      double square = 0;
      for (int i = 0; i < source.layout().trainable(); i++) {
        square += (double) gradient[i] * gradient[i];
      }
      assertTrue(square > 0, "expected a gradient, found zeros");
      double change;
      double expected = loss;
      do {
        expected /= 2;
        change = loss - loss(source, moved(source, parameters, gradient, expected / square));
      } while (Math.abs(change - expected) > expected / 2 && expected > loss * SMALLEST_CHANGE);
      assertEquals(expected, change, expected / 2, "fall of a loss of " + loss);
    }
  }

  private static float[] moved(GradientSource source, float[] from, float[] gradient, double step) {
    float[] parameters = from.clone();
    for (int i = 0; i < source.layout().trainable(); i++) {
      parameters[i] -= (float) (step * gradient[i]);
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

  /** With noise of the shape that the network is listed with. */
  private static GradientSource open(String network) {
    NetworkSummary summary = Networks.summary(network);
    Random random = new Random(SEED);
    byte[] pixels = new byte[BATCH.length * summary.input().size()];
    random.nextBytes(pixels);
    byte[] labels = new byte[BATCH.length];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) random.nextInt(summary.classes());
    }
    var noise = new ByteExamples(pixels, labels);
    return Networks.open(
        network, new DataSet("noise", summary.input(), summary.classes(), noise, noise));
  }
}
