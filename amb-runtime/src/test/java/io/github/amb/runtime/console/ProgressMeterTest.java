package io.github.amb.runtime.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.scheme.context.StopRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressMeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int EXAMPLES = 1000;

  private final List<Progress> shown = new ArrayList<>();
  private long now;

  private ProgressMeter meter(StopRule stop, int workers) {
    return new ProgressMeter(stop, EXAMPLES, workers, false, () -> now, shown::add);
  }

  private Progress last() {
    return shown.get(shown.size() - 1);
  }

  @Test
  void theNearestLimitSaysHowMuchIsDone() {
    ProgressMeter meter =
        meter(
            new StopRule(
                100, 4, Double.POSITIVE_INFINITY, StopRule.NO_TARGET, Double.NaN, 0, Budget.NONE),
            0);
    meter.accept(step(1, 10, 2000));
    assertEquals(0.5, last().share());
    assertEquals(2.0, last().epoch());
    meter.accept(step(2, 90, 2100));
    meter.finish();
    assertEquals(0.9, last().share());
  }

  @Test
  void whatIsLeftTakesAsLongAsWhatWasDone() {
    ProgressMeter meter = meter(StopRule.after(100), 0);
    meter.accept(step(1, 20, 1));
    assertNull(last().secondsLeft());
    now = 10 * SECOND;
    meter.accept(step(2, 40, 2));
    // 20 % in 10 s, 60 % to do.
    assertEquals(30, last().secondsLeft(), 1e-9);
  }

  @Test
  void withoutALimitThereIsNoShare() {
    double none = Double.POSITIVE_INFINITY;
    ProgressMeter meter = meter(new StopRule(0, none, none, 0.9, Double.NaN, 0, Budget.NONE), 0);
    meter.accept(step(1, 20, 1));
    assertNull(last().share());
    assertNull(last().lastStep());
  }

  @Test
  void numbersThatAreNoneAreAbsent() {
    ProgressMeter meter = meter(StopRule.after(100), 0);
    meter.accept(new StepRecord(0, 1, Double.NaN, 1, 1, 1, 0, 0, 0, 0));
    assertNull(last().loss());
    assertNull(last().examplesPerSecond());
    assertNull(last().test());
    assertNull(last().workers());
  }

  @Test
  void anAccuracyKeepsItsStepAndTheBestStays() {
    ProgressMeter meter = meter(StopRule.after(100), 0);
    meter.accept(step(1, 10, 1));
    meter.accept(new EvaluationRecord(1, 5, 1.5, 0.7, 100, 0.1));
    meter.accept(new EvaluationRecord(1, 9, 1.6, 0.6, 100, 0.1));
    meter.finish();
    assertEquals(new Progress.Score(9, 1.6, 0.6), last().test());
    assertEquals(new Progress.Score(5, 1.5, 0.7), last().best());
  }

  @Test
  void withoutAccuracyTheSmallestLossIsTheBest() {
    ProgressMeter meter = meter(StopRule.after(100), 0);
    meter.accept(step(1, 10, 1));
    for (int i = 0; i < 3; i++) {
      double loss = List.of(1.5, 1.25, 1.75).get(i);
      Map<String, Double> metrics = Map.of("perplexity", 2 * loss);
      meter.accept(new EvaluationRecord(1, i, loss, Double.NaN, 100, 0.1, metrics));
    }
    meter.finish();
    assertEquals(new Progress.Score(2, 1.75, null, Map.of("perplexity", 3.5)), last().test());
    assertEquals(new Progress.Score(1, 1.25, null, Map.of("perplexity", 2.5)), last().best());
    assertEquals(last(), Progress.fromJson(last().toJson()));
    assertEquals(
        "final test loss 1.750 (perplexity 3.500) at step 2, best 1.250 (perplexity 2.500) at step 1",
        RunSummary.lines(last(), 0, Path.of("run")).get(0));
    String line = StatusLine.of(last()).whole();
    assertTrue(line.contains("test loss 1.750, perplexity 3.500 (step 2)"), line);
  }

  @Test
  void lostWorkersAreCountedAlsoIfTheyComeBack() {
    ProgressMeter meter = meter(StopRule.after(100), 3);
    meter.accept(worker(1, 0.5));
    meter.accept(worker(2, 2));
    meter.accept(step(1, 10, 1));
    assertEquals(new Progress.Workers(3, 3, 0, 2, 2.0), last().workers());
    meter.accept(new MembershipRecord(1, 10, 2, List.of(1, 3), "rank 2 was lost", 0));
    meter.accept(new MembershipRecord(1, 10, 3, List.of(1, 2, 3), "a worker joins", 0));
    meter.accept(new MembershipRecord(1, 10, 4, List.of(1, 2), "rank 3 was lost", 0));
    meter.finish();
    assertEquals(new Progress.Workers(2, 3, 2, 1, 0.5), last().workers());
  }

  @Test
  void tenAreHandedOnASecondAndTheLast() {
    ProgressMeter meter = meter(StopRule.after(100), 0);
    for (int step = 1; step <= 50; step++) {
      meter.accept(step(1, step, 1));
      now += SECOND / 50;
    }
    meter.finish();
    assertEquals(11, shown.size());
    assertEquals(50, last().step());
  }

  @Test
  void onlyATestAfterTheLastStepIsTheFinalOne() {
    ProgressMeter meter = meter(StopRule.after(100), 0);
    meter.accept(step(1, 99, 1));
    meter.testing(10, 100);
    meter.accept(step(1, 100, 1));
    meter.finish();
    assertNull(last().finalTest());
    meter.testing(20, 100);
    meter.finish();
    assertEquals(new Progress.FinalTest(20, 100), last().finalTest());
  }

  private static StepRecord step(double time, long step, long totalSamples) {
    return new StepRecord(time, step, 1, 1e-3, 1, totalSamples, 0, 0, 0, 0);
  }

  private static WorkerRecord worker(int rank, double computeTime) {
    return new WorkerRecord(1, 1, rank, 64, 1, false, 0, 0, 0, 0, computeTime, 0, 0);
  }
}
