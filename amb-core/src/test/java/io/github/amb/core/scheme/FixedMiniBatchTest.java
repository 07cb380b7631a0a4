package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.random.Streams;
import io.github.amb.core.sim.CostModel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FixedMiniBatchTest {
  private static final CostModel COSTS = CostModel.perExample(0.001);

  private static Scheme fmb(int batchSize) {
    return Schemes.named("fmb").create(new SchemeOptions(batchSize, 3));
  }

  private static TrainingRun train(int workers, int batchSize, long seed) {
    return TrainingRun.distributed(fmb(batchSize), workers, COSTS, seed, DelayModel.NONE, 30);
  }

  @Test
  void nWorkersWithBatchBEqualOneWorkerWithBatchNB() {
    TrainingRun one = TrainingRun.plan(fmb(48), 1).rule("sgd", 0.05, 5e-4).run();
    for (int workers : List.of(2, 3, 4)) {
      TrainingRun many = TrainingRun.plan(fmb(48 / workers), workers).rule("sgd", 0.05, 5e-4).run();
      one.assertEqualButForRounding(many, 48);
    }
  }

  @Test
  void oneWorkerEqualsLocalTrainingBitForBit() {
    TrainingRun local = TrainingRun.local(fmb(20), 5, DelayModel.NONE, 30);
    assertArrayEquals(local.parameters, train(1, 20, 5).parameters);
  }

  @Test
  void theSameSeedGivesTheSameBits() {
    assertArrayEquals(train(3, 16, 11).parameters, train(3, 16, 11).parameters);
    assertEquals(train(3, 16, 11).records, train(3, 16, 11).records);
    assertFalse(Arrays.equals(train(3, 16, 11).parameters, train(3, 16, 12).parameters));
  }

  @Test
  void bitsDoNotDependOnTheOrderOfArrival() {
    Streams order = new Streams(Seeds.of(99));
    DelayModel shuffled = random -> order.stream("x", 0, random.nextLong()).nextDouble();
    TrainingRun delayed = TrainingRun.distributed(fmb(16), 3, COSTS, 11, shuffled, 30);
    assertArrayEquals(train(3, 16, 11).parameters, delayed.parameters);
  }

  @Test
  void aStepLastsAsLongAsTheSlowestWorker() {
    double[] delays = {0.5, 0.1, 0.3};
    int[] draws = {0};
    DelayModel inTurn = random -> delays[draws[0]++ % 3];
    TrainingRun run = TrainingRun.distributed(fmb(10), 3, COSTS, 1, inTurn, 4);
    for (int step = 0; step < 4; step++) {
      assertEquals((step + 1) * (0.5 + 10 * 0.001), run.steps().get(step).time(), 1e-9);
      assertEquals(0.4, run.collections().get(step).waitTime(), 1e-9);
    }
  }

  @Test
  void everyExampleCountsOnce() {
    TrainingRun run = train(3, 16, 2);
    assertEquals(30L * 3 * 16, run.steps().get(29).totalSamples());
    assertEquals(
        30L * 3 * 16, run.workers().stream().mapToLong(record -> record.numSamples()).sum());
    assertEquals(90, run.workers().size());
  }

  @Test
  void learns() {
    TrainingRun.distributed(fmb(24), 2, COSTS, 1, DelayModel.NONE, 300).assertLearnt();
  }
}
