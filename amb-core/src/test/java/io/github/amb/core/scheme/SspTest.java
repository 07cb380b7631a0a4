package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.record.WorkerRecord;
import java.util.List;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SspTest {
  private static final DelayModel RANDOM = random -> 0.1 * random.nextDouble();

  private static Scheme ssp(long staleness) {
    return Schemes.named("ssp").create(new SchemeOptions(10, 3).with(Ssp.STALENESS, staleness));
  }

  @Test
  void withoutABoundItIsAsynchronousBitForBit() {
    Scheme async = Schemes.named("async").create(new SchemeOptions(10, 3));
    TrainingRun expected = TrainingRun.plan(async, 3).delays(RANDOM).run();
    Long inf = Ssp.STALENESS.parser().apply("inf");
    TrainingRun run = TrainingRun.plan(ssp(inf), 3).delays(RANDOM).run();
    assertArrayEquals(expected.parameters, run.parameters);
    assertEquals(expected.records, run.records);
  }

  /** n updates by g/B each at one place are one update by their mean at n times the rate. */
  @Test
  void aBoundOf0IsSynchronousWithNTimesTheLearningRate() {
    Scheme fmb = Schemes.named("fmb").create(new SchemeOptions(10, 3));
    IntFunction<DelayModel> constant = rank -> random -> 0.01 * rank;
    TrainingRun sync =
        TrainingRun.plan(fmb, 3).delaysByRank(constant).rule("sgd", 0.03, 0).steps(20).run();
    TrainingRun ssp =
        TrainingRun.plan(ssp(0), 3).delaysByRank(constant).rule("sgd", 0.01, 0).steps(60).run();
    ssp.assertEqualButForRounding(sync, 30);
    for (int step = 0; step < 20; step++) {
      assertEquals(sync.steps().get(step).time(), ssp.steps().get(3 * step + 2).time(), 1e-9);
    }
  }

  /** Batches take 10 ms, and 50 ms at worker 2; worker 1 may do two before it must wait. */
  @Test
  void aFastWorkerWaitsForTheSlowestOne() {
    TrainingRun run = TrainingRun.plan(ssp(1), 2).speeds(1, 0.2).steps(6).run();
    assertEquals(List.of(1, 1, 2, 1, 2, 1), run.workers().stream().map(r -> r.rank()).toList());
    double[] times = run.workers().stream().mapToDouble(r -> r.time()).toArray();
    assertArrayEquals(new double[] {.01, .02, .05, .06, .1, .11}, times, 1e-9);
  }

  @Property(tries = 40)
  void noWorkerStartsFurtherAheadThanTheBound(
      @ForAll @IntRange(min = 0, max = 5) int staleness,
      @ForAll @IntRange(min = 1, max = 6) int workers,
      @ForAll long seed) {
    TrainingRun run =
        TrainingRun.plan(ssp(staleness), workers)
            .seed(seed)
            .delaysByRank(rank -> random -> rank * 0.1 * random.nextDouble())
            .steps(60)
            .run();
    assertEquals(600, run.accountedExamples());
    List<WorkerRecord> all = run.workers();
    for (WorkerRecord record : all) {
      double start = record.time() - record.computeTime() + 1e-7;
      long own = finished(all, record.rank(), start);
      for (int other = 1; other <= workers; other++) {
        assertTrue(own - finished(all, other, start) <= staleness, record.toString());
      }
      assertTrue(record.staleness() <= (workers - 1) * (2L * staleness + 1), record.toString());
    }
  }

  private static long finished(List<WorkerRecord> all, int rank, double time) {
    return all.stream().filter(r -> r.rank() == rank && r.time() <= time).count();
  }
}
