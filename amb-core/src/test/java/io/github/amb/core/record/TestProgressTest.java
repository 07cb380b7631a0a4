package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class TestProgressTest {
  private static final double NAN = Double.NaN;

  /** What a number is after each test. */
  private static List<Long> after(
      long patience, ToLongFunction<TestProgress> number, double[][] lossesAndAccuracies) {
    List<Long> found = new ArrayList<>();
    TestProgress tests = TestProgress.NONE;
    for (double[] test : lossesAndAccuracies) {
      tests = tests.with(new EvaluationRecord(0, found.size(), test[0], test[1], 9, 0), patience);
      assertEquals(tests, TestProgress.of(tests.numbers()));
      found.add(number.applyAsLong(tests));
    }
    return found;
  }

  @Test
  void aHigherAccuracyOrASmallerLossIsAnImprovement() {
    double[][] tests = {{2, 0.5}, {2, 0.5}, {2.1, 0.6}, {1.9, 0.1}, {1.9, 0.6}, {NAN, NAN}};
    assertEquals(List.of(0L, 1L, 0L, 0L, 1L, 2L), after(0, TestProgress::stale, tests));
  }

  @Test
  void withoutAccuracyTheLossAloneCounts() {
    double[][] tests = {{2, NAN}, {1, NAN}, {1.5, NAN}, {0.5, NAN}};
    assertEquals(List.of(0L, 0L, 1L, 0L), after(0, TestProgress::stale, tests));
  }

  /** Keras' ReduceLROnPlateau with patience 2 reduces after the same tests. */
  @Test
  void aPlateauIsAsManyTestsInARow() {
    double[][] tests = {{1, NAN}, {2, NAN}, {0.5, NAN}, {2, NAN}, {2, NAN}, {2, NAN}, {2, NAN}};
    assertEquals(List.of(0L, 0L, 0L, 0L, 1L, 1L, 2L), after(2, TestProgress::plateaus, tests));
    assertEquals(List.of(0L, 1L, 0L, 1L, 2L, 3L, 4L), after(2, TestProgress::stale, tests));
  }
}
