package io.github.amb.core.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SlicesTest {
  @Property(tries = 200)
  void noSliceOfAShortVectorIsEmpty(
      @ForAll @IntRange(min = 1, max = 300) int workers,
      @ForAll @IntRange(min = 0, max = 300_000) int more) {
    Slices slices = new Slices(workers + more, workers);
    int end = 0;
    for (int rank = 1; rank <= workers; rank++) {
      assertEquals(end, slices.begin(rank));
      assertTrue(slices.length(rank) > 0, slices + " " + rank);
      end += slices.length(rank);
    }
    assertEquals(workers + more, end);
  }

  @Property(tries = 200)
  void slicesCoverTheVectorInNearlyEqualParts(
      @ForAll @IntRange(min = 1, max = 300) int workers,
      @ForAll @IntRange(min = 0, max = (1 << 28) - 300 * 1024) int more) {
    int length = workers * 1024 + more;
    Slices slices = new Slices(length, workers);
    int end = 0;
    for (int rank = 1; rank <= workers; rank++) {
      assertEquals(end, slices.begin(rank));
      assertEquals(0, slices.begin(rank) % 16);
      double fair = (double) length / workers;
      assertTrue(Math.abs(slices.length(rank) - fair) <= 16, slices + " " + rank);
      end += slices.length(rank);
    }
    assertEquals(length, end);
  }
}
