package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.sim.CostModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Rates of the limit found beside those of fixed ones, of runs with the same delays. The 5 percent
 * are what is promised, not a tolerance for rounding or for chance.
 */
class AdaptiveTimeLimitTest {
  /** As the authors' CIFAR-10 run, with a sixteenth of the examples: partitions of 0.48 s. */
  private static final CostModel COSTS =
      new CostModel(0.0217 * 356 / 16, 0, 0, 0, 0.1, Double.POSITIVE_INFINITY);

  private static final int STEPS = 120;

  private static SchemeOptions options(double timeLimit) {
    return new SchemeOptions(16, 10)
        .with(AnytimeMiniBatch.TIME_LIMIT, timeLimit)
        .with(AnytimeMiniBatch.NUM_PARTITIONS, 16);
  }

  private static List<StepRecord> train(double timeLimit, DelayModel delays, int steps) {
    Scheme amb = Schemes.named("amb").create(options(timeLimit));
    return TrainingRun.plan(amb, 10).costs(COSTS).delays(delays).steps(steps).run().steps();
  }

  private static double rate(List<StepRecord> steps, int from, int to) {
    StepRecord start = steps.get(from);
    StepRecord end = steps.get(to - 1);
    return (end.totalSamples() - start.totalSamples()) / (end.time() - start.time());
  }

  private static double bestFixed(DelayModel delays) {
    double best = 0;
    for (double limit : new double[] {1, 2, 4, 6, 6.5, 7, 7.5, 8, 9, 10, 12, 20, 24, 28}) {
      best = Math.max(best, rate(train(limit, delays, STEPS), 0, STEPS));
    }
    return best;
  }

  @Test
  void theLimitFoundIsWithin5PercentOfTheBestFixedOne() {
    DelayModel niagara = DelayModels.named("niagara");
    double best = bestFixed(niagara);
    double found = rate(train(AnytimeMiniBatch.AUTO, niagara, STEPS), 0, STEPS);
    assertTrue(found > 0.95 * best, found + " against " + best);
  }

  /** From the 100th step on, each worker is 20 s late in half of the steps. */
  @Test
  void theLimitFollowsDelaysThatChangeHalfWay() {
    DelayModel late = random -> random.nextBoolean() ? 20 : 0;
    int[] draws = {0};
    DelayModel changing = random -> draws[0]++ < 1000 ? 0 : late.sample(random);
    List<StepRecord> steps = train(AnytimeMiniBatch.AUTO, changing, 300);
    double before = rate(train(8, DelayModel.NONE, STEPS), 0, STEPS);
    double after = bestFixed(late);
    assertTrue(rate(steps, 0, 100) > 0.95 * before, rate(steps, 0, 100) + " against " + before);
    assertTrue(rate(steps, 170, 300) > 0.95 * after, rate(steps, 170, 300) + " against " + after);
    double unchanged = rate(train(8, late, STEPS), 0, STEPS);
    assertTrue(unchanged < 0.9 * after, "the old limit would do: " + unchanged);
  }

  @Test
  void onlyAmbCanFindItsLimit() {
    SchemeOptions auto = options(AnytimeMiniBatch.AUTO);
    var e = assertThrows(UsageException.class, () -> Schemes.named("amb-dg").create(auto));
    assertEquals(
        "--amb-time-limit auto: expected scheme amb and workers; give seconds instead",
        e.getMessage());
    assertEquals(AnytimeMiniBatch.AUTO, AnytimeMiniBatch.TIME_LIMIT.parser().apply("auto"));
  }
}
