package io.github.amb.bench.transport;

import io.github.amb.core.update.OrderedSum;
import java.nio.FloatBuffer;

/** Sums vectors in any memory, in the order added, as the master's update does. */
final class Summation {
  private static final int CHUNK = 512;

  private final float[] total;
  private final FloatBuffer[] vectors;
  private final OrderedSum sum = new OrderedSum(CHUNK);
  private int count;

  /**
   * @param length number of entries of a vector
   * @param most maximum number of vectors in a sum
   */
  Summation(int length, int most) {
    total = new float[length];
    vectors = new FloatBuffer[most];
  }

  /** Adds a vector of the sum's length, which is read when the sum is formed. */
  void add(FloatBuffer vector) {
    vectors[count++] = vector;
  }

  /** Forms the sum of the added vectors; the next vector starts another sum. */
  void form() {
    for (int start = 0; start < total.length; start += CHUNK) {
      int length = Math.min(CHUNK, total.length - start);
      sum.form(vectors, count, start, length);
      System.arraycopy(sum.values(), 0, total, start, length);
    }
    count = 0;
  }
}
