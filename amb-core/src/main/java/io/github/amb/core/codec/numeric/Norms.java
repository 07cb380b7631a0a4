package io.github.amb.core.codec.numeric;

/**
 * Norms of {@code values[from]} to {@code values[from + count − 1]}, in double precision. Four
 * partial sums hide the latency of additions.
 */
public final class Norms {
  private Norms() {}

  /** ‖x‖₂². */
  public static double squared(float[] values, int from, int count) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = from;
    int end = from + count;
    for (; i <= end - 4; i += 4) {
      s0 += (double) values[i] * values[i];
      s1 += (double) values[i + 1] * values[i + 1];
      s2 += (double) values[i + 2] * values[i + 2];
      s3 += (double) values[i + 3] * values[i + 3];
    }
    for (; i < end; i++) {
      s0 += (double) values[i] * values[i];
    }
    return s0 + s1 + (s2 + s3);
  }

  /** ‖x‖₁. */
  public static double absolute(float[] values, int from, int count) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = from;
    int end = from + count;
    for (; i <= end - 4; i += 4) {
      s0 += Math.abs(values[i]);
      s1 += Math.abs(values[i + 1]);
      s2 += Math.abs(values[i + 2]);
      s3 += Math.abs(values[i + 3]);
    }
    for (; i < end; i++) {
      s0 += Math.abs(values[i]);
    }
    return s0 + s1 + (s2 + s3);
  }
}
