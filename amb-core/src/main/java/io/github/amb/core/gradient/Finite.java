package io.github.amb.core.gradient;

/**
 * Finds entries of float arrays that are not finite. Compares magnitudes by their bits, as
 * integers.
 */
public final class Finite {
  /** Mask of the bits of a magnitude: all but the sign. */
  public static final int MAGNITUDE = 0x7FFFFFFF;

  private Finite() {}

  /**
   * Bits of the largest magnitude of entries {@code from} to {@code to − 1}; NaN counts as larger
   * than infinity.
   */
  public static int maxMagnitude(float[] values, int from, int to) {
    float max = 0;
    for (int i = from; i < to; i++) {
      max = Math.max(max, Math.abs(values[i])); // as floats, which the JIT vectorizes
    }
    // Math.abs keeps the sign of a NaN until it is compiled, and 0/0 has one on x86.
    return Float.floatToRawIntBits(max) & MAGNITUDE;
  }

  /** Index of the first of entries {@code from} to {@code to − 1} that is not finite, or −1. */
  public static int firstBad(float[] values, int from, int to) {
    if (Float.isFinite(sum(values, from, to))) {
      return -1;
    }
    for (int i = from; i < to; i++) {
      if (!Float.isFinite(values[i])) {
        return i;
      }
    }
    return -1; // only the sum has overflowed
  }

  /** Eight partial sums, which hide the latency of additions. */
  private static float sum(float[] values, int from, int to) {
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    int i = from;
    for (; i <= to - 8; i += 8) {
      s0 += values[i];
      s1 += values[i + 1];
      s2 += values[i + 2];
      s3 += values[i + 3];
      s4 += values[i + 4];
      s5 += values[i + 5];
      s6 += values[i + 6];
      s7 += values[i + 7];
    }
    for (; i < to; i++) {
      s0 += values[i];
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }
}
