package io.github.amb.core.codec;

/** Magnitudes as the integers that order them, and whether they are finite. */
final class Finite {
  static final int MAGNITUDE = 0x7FFFFFFF;
  private static final int INFINITY = 0x7F800000;

  private Finite() {}

  /** Bits of the largest magnitude; NaN is larger than infinity. */
  static int maxMagnitude(float[] values, int from, int to) {
    float max = 0;
    for (int i = from; i < to; i++) {
      max = Math.max(max, Math.abs(values[i])); // as floats, which the JIT vectorises
    }
    // Math.abs keeps the sign of a NaN until it is compiled, and 0/0 has one on x86.
    return Float.floatToRawIntBits(max) & MAGNITUDE;
  }

  /** Index of the first entry that is not finite, or −1. */
  static int firstBad(float[] values, int from, int to) {
    if (maxMagnitude(values, from, to) < INFINITY) {
      return -1;
    }
    int i = from;
    while (Float.isFinite(values[i])) {
      i++;
    }
    return i;
  }

  /**
   * Checks what has been decoded.
   *
   * @throws MalformedMessageException if an entry is not finite
   */
  static void expect(float[] values, int from, int count) {
    int bad = firstBad(values, from, from + count);
    if (bad >= 0) {
      throw new MalformedMessageException(
          "entry %d: expected a finite number, found %s".formatted(bad - from, values[bad]));
    }
  }
}
