package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.sim.CostModel;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AnytimeMiniBatchTest {
  private static final double PER_EXAMPLE = 0.01;

  private static Scheme amb(int batchSize, double timeLimit, int partitions) {
    return Schemes.named("amb")
        .create(
            new SchemeOptions(batchSize, 3)
                .with(AnytimeOptions.TIME_LIMIT, timeLimit)
                .with(AnytimeOptions.NUM_PARTITIONS, partitions));
  }

  private static TrainingRun train(Scheme scheme, int workers, DelayModel delays, long steps) {
    return TrainingRun.distributed(
        scheme, workers, CostModel.perExample(PER_EXAMPLE), 1, delays, steps);
  }

  /** 10 partitions of 10 examples, 0.1 s each. */
  private static WorkerRecord first(double timeLimit, double delay) {
    return train(amb(100, timeLimit, 10), 1, random -> delay, 1).workers().get(0);
  }

  @Test
  void computesForItsTime() {
    assertEquals(50, first(0.5, 0).numSamples());
    assertEquals(5, first(0.5, 0).partitions());
    assertEquals(0.5, first(0.5, 0).computeTime(), 1e-9);
  }

  @Test
  void aPartitionThatHasStartedIsFinished() {
    assertEquals(5, first(0.45, 0).partitions());
    assertEquals(0.5, first(0.45, 0).computeTime(), 1e-9);
  }

  @Test
  void theInducedSleepConsumesTheTimeLimit() {
    WorkerRecord record = first(0.5, 0.3);
    assertEquals(2, record.partitions());
    assertEquals(0.3, record.sleepTime(), 1e-9);
    assertEquals(0.5, record.computeTime(), 1e-9);
  }

  @Test
  void atLeastOnePartitionIsProcessed() {
    assertEquals(1, first(0.5, 2.0).partitions());
    assertEquals(2.1, first(0.5, 2.0).computeTime(), 1e-9);
  }

  @Test
  void aBatchThatRunsOutBeforeItsTimeIsReported() {
    assertTrue(first(1.5, 0).exhausted());
    assertEquals(100, first(1.5, 0).numSamples());
    assertEquals(false, first(0.5, 0).exhausted());
  }

  @Test
  void theMeanIsTakenOverTheExamplesThatWereProcessed() {
    TrainingRun run = train(amb(100, 0.5, 10), 3, random -> random.nextInt(4) * 0.1, 20);
    for (int step = 1; step <= 20; step++) {
      int number = step;
      long sum =
          run.workers().stream()
              .filter(record -> record.masterStep() == number)
              .mapToLong(WorkerRecord::numSamples)
              .sum();
      assertEquals(sum, run.steps().get(step - 1).numSamples());
      assertEquals(0.5 * step, run.steps().get(step - 1).time(), 1e-6);
    }
  }

  @Test
  void onePartitionWithoutALimitIsFixedMiniBatch() {
    Scheme fmb = Schemes.named("fmb").create(new SchemeOptions(16, 3));
    assertArrayEquals(
        train(fmb, 3, DelayModel.NONE, 20).parameters,
        train(amb(16, Double.POSITIVE_INFINITY, 1), 3, DelayModel.NONE, 20).parameters);
  }

  @Test
  void examplesThatWereNotReachedComeInTheNextStep() {
    TrainingRun cut = train(amb(40, 0.1, 4), 1, DelayModel.NONE, 24);
    TrainingRun fixed =
        train(Schemes.named("fmb").create(new SchemeOptions(10, 3)), 1, DelayModel.NONE, 24);
    assertArrayEquals(fixed.parameters, cut.parameters);
  }

  @Property(tries = 200)
  void partitionsCoverTheBatchAndDifferByAtMostOne(
      @ForAll @IntRange(min = 1, max = 5000) int batch,
      @ForAll @IntRange(min = 1, max = 5000) int p) {
    int partitions = Math.min(batch, p);
    BatchPolicy policy = new BatchPolicy(batch, partitions, 1);
    int end = 0;
    for (int k = 0; k < partitions; k++) {
      int size = policy.partitionEnd(k) - end;
      assertTrue(size == batch / partitions || size == batch / partitions + 1);
      end = policy.partitionEnd(k);
    }
    assertEquals(batch, end);
  }
}
