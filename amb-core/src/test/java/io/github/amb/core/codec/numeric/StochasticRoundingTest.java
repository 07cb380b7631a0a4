package io.github.amb.core.codec.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.block.Reinterpretation;
import org.junit.jupiter.api.Test;

class StochasticRoundingTest {
  private static final int COUNT = Reinterpretation.MAX;

  private final StochasticRounding rounding = new StochasticRounding();
  private final int[] codes = new int[COUNT];

  /** Every entry goes to one of its two neighbors, and the mean over draws is the entry. */
  @Test
  void theExpectationIsRight() {
    int draws = 4000;
    float[] values = {-0.999f, -0.7f, -0.5f, -0.1f, 0, 0.001f, 0.25f, 0.6f, 0.93f, 1, -1};
    double[] sum = new double[values.length];
    float[] scales = {7};
    rounding.draws(CodecSamples.STREAMS.stream("rounding", 0, 0));
    for (int draw = 0; draw < draws; draw++) {
      rounding.round(values, 0, 0, values.length, scales, values.length, 7, codes);
      for (int i = 0; i < values.length; i++) {
        double level = codes[i] - 7;
        assertTrue(Math.abs(level - 7 * values[i]) < 1, "entry " + i + ": " + level);
        sum[i] += level;
      }
    }
    for (int i = 0; i < values.length; i++) {
      double fraction = 7 * values[i] - Math.floor(7 * values[i]);
      // Seven times a float is rounded, which is at most 7 · 2⁻²⁴.
      double deviation = Deviation.ofMean(draws, fraction * (1 - fraction), 1) + 1e-6;
      assertEquals(7 * values[i], sum[i] / draws, deviation, "entry " + i);
    }
  }

  @Test
  void whatIsBeyondIsCutOffHoweverFar() {
    float[] values = {3, -3, 1e30f, -1e30f, Float.MAX_VALUE, -Float.MAX_VALUE};
    rounding.round(values, 0, 0, values.length, new float[] {1}, values.length, 1, codes);
    for (int i = 0; i < values.length; i++) {
      assertEquals(values[i] > 0 ? 2 : 0, codes[i], "entry " + i);
    }
  }

  @Test
  void codesThatNobodySendsAreTakenForTheLargest() {
    int[] hostile = {14, 15, 65_535, 0};
    float[] values = new float[hostile.length];
    rounding.restore(hostile, hostile.length, 7, new float[] {0.5f}, hostile.length, values, 0, 0);
    assertArrayEquals(new float[] {3.5f, 3.5f, 3.5f, -3.5f}, values);
  }

  @Test
  void bucketsHaveScalesOfTheirOwn() {
    float[] values = {0, 10, 10, 2, 2, 2, 4};
    float[] scales = {0.1f, 0.5f, 0.25f};
    rounding.round(values, 1, 0, 6, scales, 2, 1, codes);
    assertArrayEquals(new int[] {2, 2, 2, 2}, java.util.Arrays.copyOf(codes, 4));
    assertEquals(2, codes[5]);
    rounding.restore(codes, 6, 1, new float[] {10, 2, 4}, 2, values, 1, 0);
    assertEquals(10, values[2]);
    assertEquals(2, values[3]);
    assertEquals(4, values[6]);
  }

  /** Of 2²⁰ numbers every bit is set about half the time, alone and together with the one below. */
  @Test
  void bitsAreFairAndIndependent() {
    CounterRandom random = new CounterRandom();
    random.key(CodecSamples.STREAMS.stream("bits", 0, 0));
    int rounds = 512;
    long[] set = new long[Integer.SIZE];
    long[] both = new long[Integer.SIZE];
    long[] again = new long[Integer.SIZE];
    for (int round = 0; round < rounds; round++) {
      random.next(codes, COUNT);
      for (int i = 0; i < COUNT; i++) {
        int last = codes[(i + 1) % COUNT];
        for (int bit = 0; bit < Integer.SIZE; bit++) {
          int here = codes[i] >>> bit & 1;
          set[bit] += here;
          both[bit] += here & codes[i] >>> (bit + 1) % Integer.SIZE;
          again[bit] += here & last >>> bit;
        }
      }
    }
    double n = (double) rounds * COUNT;
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      assertEquals(n / 2, set[bit], n * Deviation.ofMean(n));
      assertEquals(n / 4, both[bit], n * Deviation.ofMean(n));
      // Neighboring pairs share a number: half of the pairs do not.
      assertEquals(n / 4, again[bit], n * Deviation.ofMean(n / 2));
    }
  }
}
