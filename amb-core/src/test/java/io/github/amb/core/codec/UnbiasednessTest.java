package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Layout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Codecs that say so are unbiased, and no more scattered than they say: 10,000 draws each. */
class UnbiasednessTest {
  static final List<String> CODINGS =
      List.of(
          "qsgd:2+min=1",
          "qsgd:4+min=1",
          "qsgd:3,bucket=7+min=1",
          "terngrad+min=1",
          "terngrad:bucket=5+min=1",
          "randomk:0.2+min=1",
          "atomo-entry:0.25+min=1",
          "atomo-svd:2+min=1",
          "none+min=1");

  private static final int DRAWS = 10_000;
  private static final Layout LAYOUT = Sample.layout(new int[] {7, 5});

  /** The chance that one of 35 entries is further off by chance is below one in 10,000. */
  private static final double MOST_Z = 4.7;

  /** Means and mean squared error of many draws. */
  private static final class Draws {
    final float[] values = Sample.laplace(LAYOUT.size(), 3);
    final double[] mean = new double[values.length];
    final double[] variance = new double[values.length];
    double error;

    Draws(String coding) {
      VectorEncoder encoder = Sample.encoder(LAYOUT, coding);
      VectorDecoder decoder = Sample.decoder(LAYOUT, coding);
      double[] squares = new double[values.length];
      for (int draw = 0; draw < DRAWS; draw++) {
        float[] decoded = Sample.pass(encoder, decoder, values, draw);
        error += Sample.squaredDistance(values, decoded) / DRAWS;
        for (int i = 0; i < values.length; i++) {
          double off = (double) decoded[i] - values[i];
          mean[i] += off / DRAWS;
          squares[i] += off * off / DRAWS;
        }
      }
      for (int i = 0; i < values.length; i++) {
        variance[i] = Math.max(0, squares[i] - mean[i] * mean[i]);
      }
    }

    double worstZ() {
      double worst = 0;
      for (int i = 0; i < values.length; i++) {
        double rounding = 1e-6 * Math.abs(values[i]);
        double deviation = Math.sqrt(variance[i] / DRAWS) + rounding;
        worst = Math.max(worst, Math.abs(mean[i]) / Math.max(deviation, Float.MIN_NORMAL));
      }
      return worst;
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void theMeanOfManyDrawsIsTheVectorAndTheVarianceWithinTheBound(String coding) {
    Codec codec = Codecs.parse(coding).codec();
    assertTrue(codec.isUnbiased());
    Draws draws = new Draws(coding);
    assertTrue(draws.worstZ() < MOST_Z, () -> coding + ": z = " + draws.worstZ());
    double bound = codec.errorBound(7, 5) * Sample.squaredNorm(draws.values);
    assertTrue(draws.error <= 1.03 * bound, () -> coding + ": " + draws.error + " > " + bound);
  }

  @Test
  void aBiasedCodecIsFoundOut() {
    assertTrue(new Draws("terngrad:clip=1+min=1").worstZ() > 10);
    assertTrue(new Draws("topk:0.2+min=1").worstZ() > 10);
  }

  @Test
  void entriesOfAtomoHaveTheLeastVariance() {
    Draws draws = new Draws("atomo-entry:0.25+min=1");
    double[] magnitudes = new double[draws.values.length];
    for (int i = 0; i < magnitudes.length; i++) {
      magnitudes[i] = Math.abs(draws.values[i]);
    }
    double level = WaterFilling.level(magnitudes, magnitudes.length, 0.25 * magnitudes.length);
    double expected = -Sample.squaredNorm(draws.values);
    for (double magnitude : magnitudes) {
      expected += magnitude * magnitude / WaterFilling.probability(magnitude, level);
    }
    assertEquals(expected, draws.error, 0.03 * expected);
  }
}
