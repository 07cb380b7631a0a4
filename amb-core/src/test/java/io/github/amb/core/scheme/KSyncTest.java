package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.record.DropRecord;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KSyncTest {
  private static final DelayModel RANDOM = random -> random.nextDouble();

  private static Scheme kSync(int aggregate, int workers) {
    return Schemes.named("k-sync")
        .create(new SchemeOptions(10, workers).with(KSync.NUM_AGGREGATE, aggregate));
  }

  @Test
  void allOfThemIsFixedMiniBatchBitForBit() {
    Scheme fmb = Schemes.named("fmb").create(new SchemeOptions(10, 3));
    TrainingRun expected = TrainingRun.plan(fmb, 3).delays(RANDOM).run();
    TrainingRun run = TrainingRun.plan(kSync(3, 3), 3).delays(RANDOM).run();
    assertArrayEquals(expected.parameters, run.parameters);
    assertEquals(expected.records, run.records);
  }

  /**
   * Batches take 10 ms; workers 1 and 2 are fast, worker 3 takes 25 ms. Steps end at 10, 20 and 30
   * ms; at 25 ms worker 3's gradient of step 1 is dropped, and it starts on step 3.
   */
  @Test
  void workersOfLateGradientsGetTheNewestParameters() {
    TrainingRun run = TrainingRun.plan(kSync(2, 3), 3).speeds(1, 1, 0.4).steps(3).run();
    assertEquals(0.03, run.steps().get(2).time(), 1e-9);
    assertEquals(List.of(1, 2, 1, 2, 1, 2), run.workers().stream().map(r -> r.rank()).toList());
    DropRecord late = run.drops().get(0);
    assertEquals(new DropRecord(late.time(), 2, 3, 10, 2, 1, 0, 0.025), late);
    assertEquals(0.025, late.time(), 1e-9);
    assertEquals(0.05, run.drops().get(1).time(), 1e-9);
    assertEquals(60, run.accountedExamples());
  }

  @Property(tries = 30)
  void everyStepTakesKGradientsAtItsOwnParameters(
      @ForAll @IntRange(min = 1, max = 5) int aggregate, @ForAll long seed) {
    TrainingRun run =
        TrainingRun.plan(kSync(aggregate, 5), 5).seed(seed).delays(RANDOM).steps(20).run();
    assertEquals(20L * aggregate * 10, run.accountedExamples());
    for (var record : run.workers()) {
      assertEquals(0, record.staleness());
    }
    for (var record : run.collections()) {
      assertEquals(aggregate, record.workerCount());
    }
  }
}
