package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.Gathering;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FedAvg, FedProx and FedBuff against each other, and against steps without messages. */
class FedAvgTest {
  private static final int WORKERS = 4;
  private static final int BATCH = 10;
  private static final double RATE = 0.05;
  private static final int LOCAL_STEPS =
      Math.round((float) TrainingRun.source().trainingExamples() / WORKERS / BATCH);

  private static TrainingRun.Plan plan(String scheme) {
    return TrainingRun.plan(SchemeSamples.make(scheme, BATCH, WORKERS), WORKERS)
        .rule("sgd", RATE, 0)
        .steps(6);
  }

  private static float[] trained(String scheme) {
    return plan(scheme).speeds(1, 0.9, 0.5, 0.3).run().parameters;
  }

  @Test
  void withAllWorkersAndEqualShardsItIsLocalSgd() {
    assertArrayEquals(trained("local-sgd local-steps=" + LOCAL_STEPS), trained("fedavg"));
    assertArrayEquals(trained("fedavg client-weights=uniform"), trained("fedavg"));
    assertArrayEquals(
        trained("local-sgd local-steps=" + 2 * LOCAL_STEPS), trained("fedavg local-epochs=2"));
  }

  @Test
  void withoutPullFedProxIsFedAvg() {
    assertArrayEquals(trained("fedavg"), trained("fedprox proximal-mu=0"));
    assertFalse(Arrays.equals(trained("fedavg"), trained("fedprox proximal-mu=0.1")));
  }

  @Test
  void withABufferOfAllFedBuffIsFedAvg() {
    assertArrayEquals(trained("fedavg"), trained("fedbuff buffer-size=4 dispatch=4"));
    assertFalse(Arrays.equals(trained("fedavg"), trained("fedbuff buffer-size=4")));
  }

  /**
   * What worker {@code rank} makes of w in one round, in steps of {@code w ← w − η (g + μ(w −
   * w₀))}.
   */
  private static double[] round(int rank, float[] start, double pull) {
    return local(rank, 0, start, pull, null);
  }

  /** The same in a later round, with a vector that is added to gradients; null for none. */
  private static double[] local(int rank, int rounds, float[] start, double pull, double[] shift) {
    GradientSource model = TrainingRun.source();
    Streams streams = new Streams(Seeds.of(1));
    ExampleOrder order = new ExampleOrder(streams, model.trainingExamples(), rank - 1, WORKERS);
    order.advance(rounds * LOCAL_STEPS * BATCH);
    int[] batch = new int[BATCH];
    double[] local = new double[start.length];
    Arrays.setAll(local, i -> start[i]);
    float[] rounded = new float[start.length];
    float[] gradient = new float[start.length];
    for (int h = 0; h < LOCAL_STEPS; h++) {
      order.peek(batch);
      order.advance(BATCH);
      for (int i = 0; i < local.length; i++) {
        rounded[i] = (float) local[i];
      }
      model.begin(rounded, 0);
      model.accumulate(batch, 0, BATCH);
      model.finish(gradient);
      for (int i = 0; i < local.length; i++) {
        local[i] -=
            RATE
                * (gradient[i] / BATCH
                    + pull * (local[i] - start[i])
                    + (shift == null ? 0 : shift[i]));
      }
    }
    return local;
  }

  private static float[] initial() {
    GradientSource model = TrainingRun.source();
    float[] w = new float[model.layout().size()];
    model.initialize(Seeds.of(1), w);
    return w;
  }

  /** Roundings of some steps, of parameters and gradients of about 1. */
  private static final double CLOSE = 1e-5;

  @Test
  void fedProxPullsLocalParametersBack() {
    float[] found = plan("fedprox proximal-mu=3").steps(1).run().parameters;
    double[] mean = new double[found.length];
    for (int rank = 1; rank <= WORKERS; rank++) {
      double[] local = round(rank, initial(), 3);
      Arrays.setAll(mean, i -> mean[i] + local[i] / WORKERS);
    }
    for (int i = 0; i < mean.length; i++) {
      assertEquals(mean[i], found[i], CLOSE);
    }
  }

  /** Worker 2 is a little slower than worker 1, and its first change is one update old. */
  @Test
  void fedBuffWeakensStaleChanges() {
    float[] w = initial();
    float[] found =
        plan("fedbuff buffer-size=1").speeds(1, 0.9, 0.4, 0.4).steps(2).run().parameters;
    double[] first = round(1, w, 0);
    double[] second = round(2, w, 0);
    for (int i = 0; i < w.length; i++) {
      assertEquals(first[i] - (w[i] - second[i]) / Math.sqrt(2), found[i], CLOSE);
    }
  }

  /** In the first round all corrections are 0. */
  @Test
  void theFirstRoundOfScaffoldIsFedAvg() {
    assertArrayEquals(
        plan("fedavg").steps(1).run().parameters, plan("scaffold").steps(1).run().parameters);
  }

  /** Two rounds by hand: c and cᵢ are the mean gradients of the first, Δᵢ/(K η). */
  @Test
  void scaffoldCorrectsGradientsByThoseOfTheRoundBefore() {
    float[] found = plan("scaffold").steps(2).run().parameters;
    float[] start = initial();
    double[][] variates = new double[WORKERS][start.length];
    double[] mean = new double[start.length];
    float[] w = start.clone();
    for (int rank = 1; rank <= WORKERS; rank++) {
      double[] local = local(rank, 0, start, 0, null);
      for (int i = 0; i < w.length; i++) {
        variates[rank - 1][i] = (start[i] - local[i]) / (LOCAL_STEPS * RATE);
        mean[i] += variates[rank - 1][i] / WORKERS;
        w[i] -= (float) ((start[i] - local[i]) / WORKERS);
      }
    }
    double[] second = new double[w.length];
    for (int rank = 1; rank <= WORKERS; rank++) {
      double[] own = variates[rank - 1];
      double[] shift = new double[w.length];
      Arrays.setAll(shift, i -> mean[i] - own[i]);
      double[] local = local(rank, 1, w, 0, shift);
      Arrays.setAll(second, i -> second[i] + local[i] / WORKERS);
    }
    for (int i = 0; i < w.length; i++) {
      assertEquals(second[i], found[i], CLOSE);
    }
  }

  /** Each round all do two steps of 10 ms, the first one included. */
  @Test
  void fedCompassWithEqualSpeedsIsLocalSgd() {
    String same = "fedcompass local-steps-min=2 local-steps-max=2";
    assertArrayEquals(
        plan("local-sgd local-steps=2").run().parameters, plan(same).run().parameters);
  }

  /**
   * Batches take 10, 10, 20 and 100 ms. At first all do 2 steps, in 200 ms. Then worker 1 opens a
   * group of 6 steps, 60 ms, which worker 2 joins with 6 and worker 3 with 3. Worker 4 cannot join
   * and opens one of its own: min(6, (60 + 6 · 10) / 100) = 1 is less than 2, so 6 steps.
   */
  @Test
  void fedCompassLetsWorkersArriveTogether() {
    TrainingRun run =
        plan("fedcompass local-steps-min=2 local-steps-max=6").speeds(1, 1, 0.5, 0.1).run();
    assertEquals(0.2, run.steps().get(0).time(), 1e-6);
    assertEquals(0.26, run.steps().get(1).time(), 1e-6);
    assertEquals(4 * 2 * BATCH, run.steps().get(0).numSamples());
    assertEquals((6 + 6 + 3) * BATCH, run.steps().get(1).numSamples());
    assertEquals(1, run.worker(4).size());
  }

  @Test
  void aFractionOfTheWorkersIsDrawnAgainInEachRound() {
    TrainingRun run = plan("fedavg client-fraction=0.5").steps(20).run();
    for (StepRecord step : run.steps()) {
      assertEquals(2 * LOCAL_STEPS * BATCH, step.numSamples());
    }
    long ranks = run.workers().stream().map(record -> record.rank()).distinct().count();
    assertEquals(WORKERS, ranks);
    assertTrue(run.workers().size() == 40, "two of each round");
  }

  @Test
  void changesCountByTheirExamples() {
    Layout layout = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, 2)));
    Gathering changes = new Gathering(3);
    changes.take(change(1, 30, 1, 2));
    changes.take(change(3, 10, 5, 6));
    changes.close();
    ((FedAvg) SchemeSamples.make("fedavg", BATCH, WORKERS)).weigh(changes, layout);
    assertArrayEquals(new float[] {1.5f, 3}, changes.result(0).message().values());
    assertArrayEquals(new float[] {2.5f, 3}, changes.result(1).message().values());
  }

  private static Message change(int rank, int examples, float... values) {
    Message message = new Message().reset(Message.Kind.DELTA, 1);
    message.source(rank);
    message.examples(examples);
    message.exchange(values, values.length);
    return message;
  }
}
