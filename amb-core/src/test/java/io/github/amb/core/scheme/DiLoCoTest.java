package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.sim.CostModel;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DiLoCo's successors against DiLoCo, and against numbers by hand. */
@Timeout(60)
class DiLoCoTest {
  private static final int BATCH = 10;

  private static TrainingRun.Plan plan(String scheme, int workers) {
    return TrainingRun.plan(SchemeSamples.make(scheme, BATCH, workers), workers)
        .rule("sgd", 0.05, 0)
        .steps(6);
  }

  private static float[] trained(String scheme, int workers) {
    return plan(scheme, workers).run().parameters;
  }

  @Test
  void withOneWorkerAndAnIntervalOfOneAsyncDiLoCoIsDiLoCo() {
    String options = " local-steps=3 outer-momentum=0.9";
    String async = "async-diloco local-steps-by=none" + options;
    assertArrayEquals(trained("diloco" + options, 1), trained(async + " momentum-interval=1", 1));
    assertFalse(
        Arrays.equals(trained("diloco" + options, 1), trained(async + " momentum-interval=2", 1)));
  }

  /**
   * Steps take 10, 20 and 40 ms, H = 8. The first change of each is of one step; then 8, 4 and 2
   * steps take 80 ms each.
   */
  @Test
  void localStepsAreInProportionToSpeed() {
    TrainingRun run = plan("async-diloco local-steps=8", 3).speeds(1, 0.5, 0.25).steps(9).run();
    assertEquals(BATCH, run.worker(1).get(0).numSamples());
    assertEquals(BATCH, run.worker(3).get(0).numSamples());
    assertEquals(8 * BATCH, run.worker(1).get(1).numSamples());
    assertEquals(4 * BATCH, run.worker(2).get(1).numSamples());
    assertEquals(2 * BATCH, run.worker(3).get(1).numSamples());
    run.accountedExamples();
  }

  @Test
  void withOneFragmentAndNoOverlapStreamingDiLoCoIsDiLoCo() {
    String one = " local-steps=3 fragments=1 overlap=0";
    float[] diloco = trained("diloco local-steps=3", 3);
    assertArrayEquals(diloco, trained("streaming-diloco mixing=0" + one, 3));
    String decoupled = "decoupled-diloco quorum=3 outer-average=mean" + one;
    assertArrayEquals(diloco, trained(decoupled, 3));
    assertFalse(Arrays.equals(diloco, trained("streaming-diloco mixing=0.5" + one, 3)));
  }

  /** One worker: means and averages of one change are that change. */
  @Test
  void theAverageOfOneChangeIsThatChange() {
    String options = " local-steps=6 overlap=1";
    float[] streaming = trained("streaming-diloco mixing=0" + options, 1);
    float[] decoupled = trained("decoupled-diloco" + options, 1);
    for (int i = 0; i < streaming.length; i++) {
      assertEquals(streaming[i], decoupled[i], 1e-5);
    }
  }

  /**
   * Two fragments, H = 4, τ = 1, α = 0, one worker, outer rate 1 and no momentum: an update is what
   * the worker has. Blocks are weights, then biases.
   */
  @Test
  void fragmentsAreExchangedInTurn() {
    String options = " local-steps=4 overlap=1 mixing=0 outer-learning-rate=1 outer-momentum=0";
    GradientSource model = TrainingRun.source();
    float[] start = new float[model.layout().size()];
    model.initialize(Seeds.of(1), start);
    float[] one = plan("streaming-diloco" + options, 1).steps(1).run().parameters;
    float[] two = plan("streaming-diloco" + options, 1).steps(2).run().parameters;
    int weights = model.layout().blocks().get(0).length();
    assertFalse(Arrays.equals(start, 0, weights, one, 0, weights));
    assertArrayEquals(
        Arrays.copyOfRange(start, weights, start.length),
        Arrays.copyOfRange(one, weights, one.length));
    assertArrayEquals(Arrays.copyOf(one, weights), Arrays.copyOf(two, weights));
    assertFalse(Arrays.equals(one, weights, one.length, two, weights, two.length));
  }

  /**
   * A step takes 10 ms, H = 8, P = 2, τ = 1: exchanges are every 4 steps, and the time of a message
   * both ways, 8 ms, is hidden by the overlap.
   */
  @Test
  void overlapHidesMessages() {
    CostModel costs = new CostModel(0.001, 0, 0, 0, 0, 0, 0.004, Double.POSITIVE_INFINITY);
    TrainingRun streaming = plan("streaming-diloco local-steps=8 overlap=1", 2).costs(costs).run();
    double time = streaming.steps().get(5).time() - streaming.steps().get(1).time();
    assertEquals(4 * 0.04, time, 1e-9);
    assertEquals(2 * 4 * BATCH, streaming.steps().get(3).numSamples());
  }

  /** Norms 5 and 10 have weights 1 and 3; directions (0.6, 0.8) and (1, 0). */
  @Test
  void radialAverageIsOfNormsAndDirections() {
    Block block = new Block("w", Block.Kind.WEIGHT, 0, 2);
    Gathering changes = gathered(change(1, 2, 3, 4), change(2, 6, 10, 0));
    float[] mean = new float[2];
    DecoupledDiLoCo.average(changes, block, mean);
    double x = 0.6 + 3;
    double y = 0.8;
    double norm = (5 + 3 * 10) / 4.0 / Math.hypot(x, y);
    assertEquals(norm * x, mean[0], 1e-6);
    assertEquals(norm * y, mean[1], 1e-6);
  }

  @Test
  void whereDirectionsCancelTheAverageIsTheMean() {
    Block block = new Block("w", Block.Kind.WEIGHT, 0, 2);
    float[] mean = new float[2];
    DecoupledDiLoCo.average(gathered(change(1, 1, 3, 4), change(2, 1, -6, -8)), block, mean);
    assertArrayEquals(new float[] {-1.5f, -2}, mean, 1e-6f);
    Block statistic = new Block("m", Block.Kind.RUNNING_STATISTIC, 0, 2);
    DecoupledDiLoCo.average(gathered(change(1, 1, 2, 0), change(2, 3, 0, 4)), statistic, mean);
    assertArrayEquals(new float[] {0.5f, 3}, mean, 1e-6f);
  }

  private static Gathering gathered(Message... changes) {
    Gathering gathering = new Gathering(changes.length);
    for (Message change : changes) {
      gathering.take(change);
    }
    gathering.close();
    return gathering;
  }

  private static Message change(int rank, int steps, float... values) {
    Message message = new Message().reset(Message.Kind.DELTA, 1);
    message.source(rank);
    message.examples(BATCH);
    message.asResult().localSteps(steps);
    message.exchange(values, values.length);
    return message;
  }

  /** Steps of 10 and 30 ms, 7 per exchange of 70 ms: the slow one does 2, and no worker is late. */
  @Test
  void aSlowWorkerEndsByTime() {
    TrainingRun run =
        plan("decoupled-diloco local-steps=14 overlap=2", 2).speeds(1, 1 / 3.0).steps(8).run();
    run.accountedExamples();
    assertEquals(0, run.drops().stream().filter(drop -> drop.step() > 2).count());
    assertEquals(2 * BATCH, run.worker(2).get(4).numSamples());
    assertEquals(0.07, run.steps().get(7).time() - run.steps().get(6).time(), 1e-6);
  }

  /** A worker that stalls in one step of 10 s costs the others nothing but its change. */
  @Test
  void aQuorumDoesNotWaitForAStalledWorker() {
    String options = " local-steps=4 overlap=1";
    DelayModel stalls = random -> 10;
    double time =
        plan("decoupled-diloco quorum=2" + options, 3)
            .delaysByRank(rank -> rank == 3 ? stalls : DelayModel.NONE)
            .run()
            .steps()
            .get(5)
            .time();
    assertTrue(time < 1, () -> "seconds " + time);
  }

  @Test
  void withoutDynamicLocalStepsAllDoTheSame() {
    TrainingRun run =
        plan("async-diloco local-steps=8 local-steps-by=none", 2).speeds(1, 0.5).run();
    run.workers().forEach(record -> assertEquals(8 * BATCH, record.numSamples()));
  }
}
