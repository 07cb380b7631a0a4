package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes of the optimal-time family, beside others that they are in special cases. */
class OptimalAsyncTest {
  private static final int BATCH = 10;
  private static final double[] SPEEDS = {1, 0.71, 0.37};

  private static TrainingRun.Plan plan(String scheme) {
    return TrainingRun.plan(SchemeSamples.make(scheme, BATCH, 3), 3).rule("sgd", 0.01, 0);
  }

  private static void assertSame(TrainingRun expected, TrainingRun run) {
    assertEquals(expected.steps().stream().map(StepRecord::time).toList(), times(run));
    assertArrayEquals(expected.parameters, run.parameters);
  }

  private static List<Double> times(TrainingRun run) {
    return run.steps().stream().map(StepRecord::time).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"finish", "restart"})
  void ringmasterWithoutABoundIsAsyncBitForBit(String outdated) {
    assertSame(
        plan("async").speeds(SPEEDS).run(),
        plan("ringmaster delay-threshold=999 outdated=" + outdated).speeds(SPEEDS).run());
  }

  @ParameterizedTest
  @ValueSource(strings = {"finish", "restart"})
  void rennalaOfOneGradientIsRingmasterWithABoundOf1(String outdated) {
    assertSame(
        plan("ringmaster delay-threshold=1 outdated=" + outdated).speeds(SPEEDS).run(),
        plan("rennala gradients-per-update=1 outdated=" + outdated).speeds(SPEEDS).run());
  }

  /** All gradients of a step come at the same time, and what has begun since is abandoned. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rennala gradients-per-update=3 outdated=restart", "malenia outdated=restart"})
  void workersOfEqualSpeedDoAsInFmb(String scheme) {
    assertSame(plan("fmb").run(), plan(scheme).run());
  }

  /** Worker 3 takes 10 times as long, so that worker 1 and 2 have sent ten gradients each. */
  @Test
  void maleniaWeighsWorkersAlike() {
    TrainingRun run = plan("malenia outdated=restart").speeds(1, 1, 0.1).steps(1).run();
    TrainingRun alike = plan("rennala gradients-per-update=21").speeds(1, 1, 0.1).steps(1).run();
    assertEquals(times(alike), times(run));
    assertEquals(210, run.steps().get(0).numSamples());
    assertTrue(Math.abs(run.parameters[0] - alike.parameters[0]) > 1e-4);
  }

  /** With one worker the mean over workers is its own; it is rounded once more. */
  @ParameterizedTest
  @ValueSource(strings = {"ringleader", "ia2sgd"})
  void withOneWorkerTheyAreAsync(String name) {
    TrainingRun async = oneWorker("async");
    TrainingRun run = oneWorker(name);
    assertEquals(times(async), times(run));
    run.assertEqualButForRounding(async, BATCH);
  }

  private static TrainingRun oneWorker(String name) {
    return TrainingRun.plan(SchemeSamples.make(name, BATCH, 1), 1).rule("sgd", 0.01, 0).run();
  }

  /** A round's first update waits for the slowest, and its others for one gradient of each. */
  @Test
  void ringleaderUpdatesOncePerWorkerAndRound() {
    TrainingRun run = plan("ringleader").speeds(SPEEDS).steps(30).run();
    List<StepRecord> steps = run.steps();
    for (int round = 0; round < 10; round++) {
      List<Integer> last =
          steps.subList(3 * round, 3 * round + 3).stream()
              .map(step -> lastOf(run, step.step()).rank())
              .sorted()
              .toList();
      assertEquals(List.of(1, 2, 3), last, "round " + round);
    }
    assertTrue(run.workers().stream().allMatch(record -> record.staleness() <= 4));
    assertEquals(0, run.drops().stream().filter(drop -> drop.step() < 30).count());
  }

  private static WorkerRecord lastOf(TrainingRun run, long step) {
    return run.workers().stream()
        .filter(record -> record.masterStep() == step)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  @Test
  void delayAdaptiveDividesTheRateByTheDelay() {
    TrainingRun run = plan("delay-adaptive").speeds(1, 1, 0.05).steps(100).run();
    assertTrue(run.workers().stream().anyMatch(record -> record.staleness() > 30));
    for (StepRecord step : run.steps()) {
      long delay = lastOf(run, step.step()).staleness();
      assertEquals(0.01 * 3 / Math.max(3, delay), step.learningRate(), 1e-12);
    }
  }

  /**
   * Once each has sent a gradient, γᵢ = γ n τᵢ / Σ τ; before, those that have not count as long.
   */
  @Test
  void rescaledRatesAreInProportionToTheTimePerGradient() {
    TrainingRun run = plan("rescaled-asgd").speeds(1, 0.5, 0.1).steps(60).run();
    double[] tau = {1, 2, 10};
    boolean all = false;
    for (StepRecord step : run.steps()) {
      int worker = lastOf(run, step.step()).rank();
      all |= worker == 3;
      if (all) {
        assertEquals(0.01 * 3 * tau[worker - 1] / 13, step.learningRate(), 1e-8);
      } else {
        assertTrue(worker == 2 || step.learningRate() <= 0.01 * (1 + 1e-9), step.toString());
      }
    }
    assertTrue(all);
  }

  @ParameterizedTest
  @CsvSource({"0, 0.01", "0.5, 0.02"})
  void ambCanMakeUpForWorkersThatMissTheTime(String missed, double rate) {
    TrainingRun run =
        plan("amb amb-time-limit=0.03 amb-num-partitions=5 amb-missed=" + missed).steps(3).run();
    assertEquals(rate, run.steps().get(2).learningRate(), 1e-12);
  }
}
