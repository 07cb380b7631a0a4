package io.github.amb.core.gradient;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiniteTest {
  /** Encodings of NaN with and without a sign, quiet and signalling, and the infinities. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        0x7FC00000,
        0xFFC00000,
        0xFFFFFFFF,
        0x7FFFFFFF,
        0x7F800001,
        0xFF800001,
        0x7F800000,
        0xFF800000
      })
  void everyEncodingOfABadEntryIsFound(int bits) {
    float[] values = new float[64];
    for (int at = 0; at < values.length; at++) {
      values[at] = Float.intBitsToFloat(bits);
      assertEquals(at, Finite.firstBad(values, 0, values.length));
      values[at] = -at;
    }
    assertEquals(-1, Finite.firstBad(values, 0, values.length));
  }

  @Test
  void largeEntriesWhoseSumOverflowsAreFine() {
    float[] values = new float[64];
    Arrays.fill(values, Float.MAX_VALUE);
    assertEquals(-1, Finite.firstBad(values, 0, values.length));
    values[40] = Float.NaN;
    assertEquals(40, Finite.firstBad(values, 3, values.length));
    assertEquals(-1, Finite.firstBad(values, 41, values.length));
  }
}
