package io.github.amb.core.update;

import io.github.amb.core.gradient.Finite;
import java.nio.FloatBuffer;

/**
 * Sums of gradients, entry by entry in the order given, one chunk that fits the processor's cache
 * at a time. Whoever sums gradients does it here, so that all get the same bits.
 */
public final class OrderedSum {
  private final float[] values;
  private final float[] addend;

  /**
   * @param chunk the most entries that are summed at a time
   */
  public OrderedSum(int chunk) {
    values = new float[chunk];
    addend = new float[chunk];
  }

  /** The last sums formed; the same array every time. */
  public float[] values() {
    return values;
  }

  /**
   * Sums entries {@code start} to {@code start + length} of the first {@code count} gradients.
   *
   * @param gradients not modified
   * @param count at least 1
   * @param length at most a chunk
   */
  public void form(FloatBuffer[] gradients, int count, int start, int length) {
    gradients[0].get(start, values, 0, length);
    for (int k = 1; k < count; k++) {
      gradients[k].get(start, addend, 0, length);
      add(values, addend, length);
    }
  }

  private static void add(float[] total, float[] gradient, int length) {
    for (int i = 0; i < length; i++) {
      total[i] += gradient[i];
    }
  }

  /** Whether the first {@code length} sums are finite. */
  public boolean isFinite(int length) {
    return Finite.firstBad(values, 0, length) < 0;
  }

  /**
   * Which gradient a sum that is not finite is put down to: the last one whose own entry is not, or
   * the first one if finite ones overflow.
   *
   * @param index the entry
   * @return the gradient's index
   */
  public static int nonFinite(FloatBuffer[] gradients, int count, int index) {
    int k = count - 1;
    while (k > 0 && Float.isFinite(gradients[k].get(index))) {
      k--;
    }
    return k;
  }
}
