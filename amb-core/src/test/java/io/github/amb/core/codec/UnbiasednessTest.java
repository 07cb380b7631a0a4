package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.codec.numeric.WaterFilling;
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
          "atomo-svd:2,square+min=1",
          "none+min=1");

  private static final int DRAWS = 10_000;
  private static final Layout LAYOUT = CodecSamples.layout(new int[] {7, 5});

  /** Means and mean squared error of many draws. */
  private static final class CodecRandom {
    final float[] values = CodecSamples.laplace(LAYOUT.size(), 3);
    final double[] mean = new double[values.length];
    final double[] variance = new double[values.length];
    double error;
    private double errorVariance;
    private double mostError;
    private double largest;

    CodecRandom(String coding) {
      VectorEncoder encoder = CodecSamples.encoder(LAYOUT, coding);
      VectorDecoder decoder = CodecSamples.decoder(LAYOUT, coding);
      double[] squares = new double[values.length];
      for (int draw = 0; draw < DRAWS; draw++) {
        float[] decoded = CodecSamples.pass(encoder, decoder, values, draw);
        double distance = CodecSamples.squaredDistance(values, decoded);
        error += distance / DRAWS;
        errorVariance += distance * distance / DRAWS;
        mostError = Math.max(mostError, distance);
        for (int i = 0; i < values.length; i++) {
          double off = (double) decoded[i] - values[i];
          largest = Math.max(largest, Math.abs(decoded[i]));
          mean[i] += off / DRAWS;
          squares[i] += off * off / DRAWS;
        }
      }
      for (int i = 0; i < values.length; i++) {
        variance[i] = Math.max(0, squares[i] - mean[i] * mean[i]);
      }
      errorVariance = Math.max(0, errorVariance - error * error);
    }

    /** The largest distance of a mean from its entry, as part of what chance allows. */
    double worst() {
      double worst = 0;
      for (int i = 0; i < values.length; i++) {
        // Each decoded entry is rounded a few times.
        double rounding = 8 * 0x1p-24 * largest;
        double chance = Deviation.ofMeanByDraws(DRAWS, variance[i], 2 * largest);
        worst = Math.max(worst, Math.abs(mean[i]) / (chance + rounding));
      }
      return worst;
    }

    /** How far the mean squared error may be from its expectation by chance. */
    double errorDeviation() {
      return Deviation.ofMeanByDraws(DRAWS, errorVariance, mostError) + 1e-6 * error;
    }
  }

  @ParameterizedTest
  @FieldSource("CODINGS")
  void theMeanOfManyDrawsIsTheVector(String coding) {
    Codec codec = Codecs.parse(coding).codec();
    assertTrue(codec.isUnbiased());
    CodecRandom draws = new CodecRandom(coding);
    assertTrue(draws.worst() <= 1, () -> coding + ": off " + draws.worst() + " times chance");
    double bound = codec.errorBound(7, 5) * CodecSamples.squaredNorm(draws.values);
    double most = bound + draws.errorDeviation();
    assertTrue(draws.error <= most, () -> coding + ": " + draws.error + " > " + most);
  }

  @Test
  void aBiasedCodecIsFoundOut() {
    assertTrue(new CodecRandom("terngrad:clip=1+min=1").worst() > 1);
    assertTrue(new CodecRandom("topk:0.2+min=1").worst() > 1);
  }

  @Test
  void entriesOfAtomoHaveTheLeastVariance() {
    CodecRandom draws = new CodecRandom("atomo-entry:0.25+min=1");
    double[] magnitudes = new double[draws.values.length];
    for (int i = 0; i < magnitudes.length; i++) {
      magnitudes[i] = Math.abs(draws.values[i]);
    }
    double level = WaterFilling.level(magnitudes, magnitudes.length, 0.25 * magnitudes.length);
    double expected = -CodecSamples.squaredNorm(draws.values);
    for (double magnitude : magnitudes) {
      expected += magnitude * magnitude / WaterFilling.probability(magnitude, level);
    }
    assertEquals(expected, draws.error, draws.errorDeviation());
  }
}
