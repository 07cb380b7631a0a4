package io.github.amb.runtime.train.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import org.junit.jupiter.api.Test;

class FinalParametersTest {
  private static StepRecord step(long step, double loss, long examples) {
    return new StepRecord(step, step, loss, 0.1, examples, 0, 0, 0, 0, 0);
  }

  private static String remark(double first, double last, double test, long steps) {
    return FinalParameters.remark(
        step(1, first, 16), step(steps, last, 16), new EvaluationRecord(1, steps, test, 0.1, 9, 0));
  }

  @Test
  void aLossThatGrewOrIsNoNumberHasDiverged() {
    assertTrue(remark(2.3, 613, 613, 60).startsWith(RunInfo.DIVERGED));
    assertTrue(remark(-0.4, 613, 613, 60).startsWith(RunInfo.DIVERGED));
    assertTrue(remark(2.3, Double.NaN, 2, 60).startsWith(RunInfo.DIVERGED));
    assertTrue(remark(2.3, 2, Double.POSITIVE_INFINITY, 60).startsWith(RunInfo.DIVERGED));
  }

  @Test
  void aLossThatIsNotLowerIsSaid() {
    assertTrue(remark(2.4, 2.31, 2.302, 60).startsWith("nothing was learned"));
  }

  @Test
  void whatLearnsOrIsShortHasNoRemark() {
    assertEquals("", remark(2.4, 1.2, 1.3, 60));
    assertEquals("", remark(2.4, 0.1, 9, 60)); // It fits the training data too well.
    assertEquals("", remark(2.4, 2.4, 2.4, 3));
    assertEquals("", remark(-0.4, -0.9, -0.9, 60)); // Wasserstein's loss may be negative.
    assertEquals("", remark(Double.NaN, Double.NaN, 2.4, 60)); // Gradients are not computed.
    assertEquals(
        "", FinalParameters.remark(step(1, 2, 16), step(60, Double.NaN, 0), null)); // No examples.
  }
}
