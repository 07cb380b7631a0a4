package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.numeric.WaterFilling;
import io.github.amb.core.random.Streams;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DrawsTest {
  private static final long SEED = 3 + Long.getLong("amb.test.seed", 0);

  private final float[] values = new float[Draws.SHAPE[0] * Draws.SHAPE[1]];

  private Draws draws(String codec) {
    Random random = new Random(SEED);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return new Draws(codec, values, new Streams(SEED));
  }

  @Test
  void aBiasedCodecIsFoundOut() {
    assertTrue(draws("terngrad:clip=1+min=1").worst() > 1);
    assertTrue(draws("topk:0.2+min=1").worst() > 1);
  }

  @Test
  void entriesOfAtomoHaveTheLeastVariance() {
    Draws draws = draws("atomo-entry:0.25+min=1");
    double[] magnitudes = new double[values.length];
    double expected = 0;
    for (int i = 0; i < magnitudes.length; i++) {
      magnitudes[i] = Math.abs(values[i]);
      expected -= magnitudes[i] * magnitudes[i];
    }
    double level = WaterFilling.level(magnitudes, magnitudes.length, 0.25 * magnitudes.length);
    for (double magnitude : magnitudes) {
      expected += magnitude * magnitude / WaterFilling.probability(magnitude, level);
    }
    assertEquals(expected, draws.error(), draws.errorDeviation());
  }
}
