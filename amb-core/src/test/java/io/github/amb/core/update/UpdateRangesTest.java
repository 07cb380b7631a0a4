package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UpdateRangesTest {
  @Test
  void rangesCutAVectorEvenly() {
    UpdateRanges ranges = new UpdateRanges(10, 4);
    int[] begins = IntStream.rangeClosed(0, 4).map(ranges::begin).toArray();
    assertArrayEquals(new int[] {0, 2, 5, 7, 10}, begins);
    assertEquals(1_500_000_000, new UpdateRanges(2_000_000_000, 4).begin(3));
  }
}
