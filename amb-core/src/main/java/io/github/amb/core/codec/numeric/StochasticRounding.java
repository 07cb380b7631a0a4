package io.github.amb.core.codec.numeric;

import io.github.amb.core.codec.block.Reinterpretation;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Rounds numbers up or down at random, so that the result is unbiased. The JIT vectorizes the loops
 * as long as all arrays have the same index.
 */
public final class StochasticRounding {
  private static final int CHUNK = Reinterpretation.MAX;

  /** Adding 1.5 · 2²³ rounds to an integer, which ends up in the lowest bits. */
  private static final float ROUND = 0x1.8p23f;

  private static final int ROUND_BITS = Float.floatToRawIntBits(ROUND);
  private static final int ODD_ONE_BITS = Float.floatToRawIntBits(1) | 1;
  private static final float MIDDLE = 1.5f;

  private final Reinterpretation bits = new Reinterpretation();
  private final CounterRandom random = new CounterRandom();
  private final int[] draws = new int[CHUNK];
  private final float[] floats = new float[CHUNK];
  private final float[] entries = new float[CHUNK];
  private final float[] factors = new float[CHUNK];

  /** Draws a new key for the random bits from {@code seed}, which is advanced. */
  public void draws(UniformRandomProvider seed) {
    random.key(seed);
  }

  /**
   * The factor that maps {@code largest} to {@code most}; 0 if {@code largest} is too small for a
   * float factor.
   */
  public static float scale(int most, float largest) {
    float scale = most / largest;
    return Float.isInfinite(scale) ? 0 : scale;
  }

  /**
   * Rounds a block's entries, multiplied by their bucket's scale, to integers l from −{@code most}
   * to {@code most}; results beyond are clamped.
   *
   * @param values flat vector in which the block starts at {@code from}; not modified
   * @param start index within the block of the first entry to round
   * @param count number of entries, at most {@value Reinterpretation#MAX}
   * @param scales one factor per bucket of {@code bucket} entries
   * @param most below 2²¹
   * @param codes receives l + {@code most} in the first {@code count} entries
   */
  public void round(
      float[] values,
      int from,
      int start,
      int count,
      float[] scales,
      int bucket,
      int most,
      int[] codes) {
    random.next(draws, count);
    uniform(draws, count);
    bits.toFloats(draws, 0, count, floats, 0);
    System.arraycopy(values, from + start, entries, 0, count);
    spread(scales, bucket, start, count);
    shift(entries, factors, floats, count);
    bits.toInts(floats, 0, count, codes, 0);
    clamp(codes, count, ROUND_BITS - most, 2 * most);
  }

  /**
   * Replaces random bits by those of floats from 1 to 2. They are odd, so that integers are not
   * rounded.
   */
  private static void uniform(int[] bits, int count) {
    for (int i = 0; i < count; i++) {
      bits[i] = bits[i] >>> 9 | ODD_ONE_BITS;
    }
  }

  /** Sets {@link #factors} to the scales of the entries from {@code start} on. */
  private void spread(float[] scales, int bucket, int start, int count) {
    int end = start + count;
    for (int i = start; i < end; ) {
      int next = (int) Math.min(end, (i / bucket + 1L) * bucket);
      Arrays.fill(factors, i - start, next - start, scales[i / bucket]);
      i = next;
    }
  }

  private static void shift(float[] entries, float[] scales, float[] uniform, int count) {
    for (int i = 0; i < count; i++) {
      uniform[i] = entries[i] * scales[i] + (uniform[i] - MIDDLE) + ROUND;
    }
  }

  /**
   * Subtracts {@code zero} and clamps to 0 and {@code most} without a branch or Math.min. The bits
   * of negative floats are negative integers.
   */
  private static void clamp(int[] codes, int count, int zero, int most) {
    for (int i = 0; i < count; i++) {
      int code = (codes[i] & ~(codes[i] >> 31)) - zero;
      code &= ~(code >> 31);
      int beyond = code - most;
      codes[i] = code - (beyond & ~(beyond >> 31));
    }
  }

  /**
   * Inverts the rounding: entry i becomes {@code (codes[i] − most)} times its bucket's unit.
   *
   * @param codes not negative; codes above 2 · {@code most} are clamped to that; modified
   * @param values flat vector; entries from {@code start} on of the block at {@code from} are
   *     overwritten
   */
  public void restore(
      int[] codes,
      int count,
      int most,
      float[] units,
      int bucket,
      float[] values,
      int from,
      int start) {
    clamp(codes, count, 0, 2 * most);
    for (int i = 0; i < count; i++) {
      codes[i] += ROUND_BITS;
    }
    bits.toFloats(codes, 0, count, entries, 0);
    spread(units, bucket, start, count);
    scale(entries, factors, count, ROUND + most);
    System.arraycopy(entries, 0, values, from + start, count);
  }

  private static void scale(float[] entries, float[] units, int count, float zero) {
    for (int i = 0; i < count; i++) {
      entries[i] = (entries[i] - zero) * units[i];
    }
  }
}
