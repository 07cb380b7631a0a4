package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.amb.core.record.ExitCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether and how a rank failure ends a run. */
class RankFailureTest {
  private static final FailurePolicy TWO = least(2);

  private static FailurePolicy least(int workers) {
    return new FailurePolicy(workers, Duration.ofSeconds(5), Duration.ofSeconds(30), 0);
  }

  private static RunOutcome end(
      int rank, int code, RunStage stage, FailurePolicy survival, int workers) {
    return new RankFailure(rank, "cause", code, RankFailure.Evidence.EXIT)
        .end(stage, survival, workers);
  }

  @ParameterizedTest
  @EnumSource(RunStage.class)
  void withoutItsMasterNoRunContinues(RunStage stage) {
    assertEquals(new RunOutcome(137, "cause"), end(0, 137, stage, TWO, 3));
  }

  @Test
  void anyLossEndsTheStart() {
    assertEquals(new RunOutcome(1, "cause"), end(1, 1, RunStage.STARTING, TWO, 3));
    assertEquals(new RunOutcome(1, "cause"), end(1, 1, RunStage.STARTING, TWO, 0));
    assertEquals(new RunOutcome(255, "cause"), end(1, 255, RunStage.STARTING, TWO, 0));
  }

  @ParameterizedTest
  @CsvSource({"STARTING, 137", "TRAINING, 137", "TRAINING, 1", "TRAINING, 22"})
  void theLossOfTheLastWorkerIsThatOfAll(RunStage stage, int code) {
    assertEquals(new RunOutcome(20, "cause"), end(1, code, stage, TWO, 0));
  }

  @Test
  void trainingContinuesWithEnoughWorkers() {
    assertNull(end(1, 137, RunStage.TRAINING, TWO, 2));
    assertEquals(
        new RunOutcome(21, "workers left: 1, fewer than --min-workers 2: cause"),
        end(1, 137, RunStage.TRAINING, TWO, 1));
  }

  @Test
  void aResultThatIsNotFiniteEndsTraining() {
    assertEquals(
        new RunOutcome(1, "cause"), end(1, ExitCode.NOT_FINITE, RunStage.TRAINING, least(1), 3));
  }

  @Test
  void aRunThatSurvivesNothingTakesTheCodeOfTheLoss() {
    assertEquals(new RunOutcome(7, "cause"), end(1, 7, RunStage.TRAINING, FailurePolicy.NONE, 3));
  }

  @Test
  void noWorkersAreTooFewWhenTrainingIsOver() {
    assertNull(end(1, 137, RunStage.OVER, TWO, 0));
  }

  /** The master has informed the worker of the end, so that this failure is the worker's own. */
  @Test
  void aWorkerThatFailsAfterTheMasterHasEndedFailsTheRun() {
    assertEquals(new RunOutcome(1, "cause"), end(1, 1, RunStage.MASTER_ENDED, TWO, 2));
  }
}
