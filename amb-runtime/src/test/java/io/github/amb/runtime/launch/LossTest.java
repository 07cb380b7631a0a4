package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether and how a loss ends a run. */
class LossTest {
  private static final Survival TWO = least(2);

  private static Survival least(int workers) {
    return new Survival(workers, Duration.ofSeconds(5), Duration.ofSeconds(30), 0);
  }

  private static Outcome end(int rank, int code, RunStage stage, Survival survival, int workers) {
    return new Loss(rank, "cause", code, Loss.Evidence.EXIT).end(stage, survival, workers);
  }

  @ParameterizedTest
  @EnumSource(RunStage.class)
  void withoutItsMasterNoRunGoesOn(RunStage stage) {
    assertEquals(new Outcome(137, "cause"), end(0, 137, stage, TWO, 3));
  }

  @Test
  void anyLossEndsTheStart() {
    assertEquals(new Outcome(1, "cause"), end(1, 1, RunStage.STARTING, TWO, 3));
    assertEquals(new Outcome(1, "cause"), end(1, 1, RunStage.STARTING, TWO, 0));
    assertEquals(new Outcome(255, "cause"), end(1, 255, RunStage.STARTING, TWO, 0));
  }

  @ParameterizedTest
  @CsvSource({"STARTING, 137", "TRAINING, 137", "TRAINING, 1", "TRAINING, 22"})
  void theLossOfTheLastWorkerIsThatOfAll(RunStage stage, int code) {
    assertEquals(new Outcome(20, "cause"), end(1, code, stage, TWO, 0));
  }

  @Test
  void trainingGoesOnWithEnoughWorkers() {
    assertNull(end(1, 137, RunStage.TRAINING, TWO, 2));
    assertEquals(
        new Outcome(21, "1 workers left, fewer than --min-workers 2: cause"),
        end(1, 137, RunStage.TRAINING, TWO, 1));
  }

  @Test
  void aResultThatIsNotFiniteEndsTraining() {
    assertEquals(
        new Outcome(1, "cause"), end(1, Outcome.NOT_FINITE, RunStage.TRAINING, least(1), 3));
  }

  @Test
  void aRunThatSurvivesNothingTakesTheCodeOfTheLoss() {
    assertEquals(new Outcome(7, "cause"), end(1, 7, RunStage.TRAINING, Survival.NONE, 3));
  }

  @Test
  void noWorkersAreTooFewWhenTrainingIsOver() {
    assertNull(end(1, 137, RunStage.OVER, TWO, 0));
  }

  /** It has told the worker that all is over, so that this one has failed by itself. */
  @Test
  void aWorkerThatFailsAfterTheMasterHasEndedFailsTheRun() {
    assertEquals(new Outcome(1, "cause"), end(1, 1, RunStage.MASTER_ENDED, TWO, 2));
  }
}
