package io.github.amb.core.update;

import io.github.amb.core.gradient.Finite;
import java.nio.FloatBuffer;

/**
 * Sums gradients entry by entry in the order given, one chunk that fits the processor's cache at a
 * time. Every sum of gradients in this program uses this class, so that all have the same bits.
 */
public final class OrderedSum {
  private final float[] values;
  private final float[] addend;

  /**
   * @param chunk maximum number of entries that are summed at a time
   */
  public OrderedSum(int chunk) {
    values = new float[chunk];
    addend = new float[chunk];
  }

  /** The sums formed last. The same array every time. */
  public float[] values() {
    return values;
  }

  /**
   * Sums entries {@code start} to {@code start + length − 1} of the first {@code count} gradients,
   * into the first {@code length} entries of {@link #values}.
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
   * Finds the gradient that causes a sum that is not finite: the last one whose own entry is not
   * finite, or the first one if finite entries overflow.
   *
   * @param gradients not modified
   * @param count number of gradients, at least 1
   * @param index index of the entry
   * @return index of the gradient
   */
  public static int nonFinite(FloatBuffer[] gradients, int count, int index) {
    int k = count - 1;
    while (k > 0 && Float.isFinite(gradients[k].get(index))) {
      k--;
    }
    return k;
  }
}
