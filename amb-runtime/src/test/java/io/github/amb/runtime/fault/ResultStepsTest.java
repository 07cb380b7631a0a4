package io.github.amb.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultStepsTest {
  @Test
  void aStepWithAResultIsThatResults() {
    assertEquals(List.of(2L), hit(2, 1, 2, 3));
    assertEquals(List.of(1L), hit(1, 1, 2));
  }

  @Test
  void aStepWithoutAResultIsTheNextResults() {
    assertEquals(List.of(7L), hit(5, 1, 4, 7, 7, 9));
  }

  @Test
  void twoResultsOfOneStepAreHitOnce() {
    assertEquals(List.of(4L), hit(4, 1, 4, 4, 5));
  }

  @Test
  void stepsBeforeTheGenerationAreOver() {
    assertEquals(List.of(), hit(5, 6, 7));
  }

  private static List<Long> hit(long wanted, long... results) {
    ResultSteps steps = new ResultSteps();
    List<Long> hit = new ArrayList<>();
    for (long result : results) {
      if (steps.isFirstSince(wanted, result)) {
        hit.add(result);
      }
      steps.sent(result);
    }
    return hit;
  }
}
