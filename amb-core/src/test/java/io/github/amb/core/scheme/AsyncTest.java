package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AsyncTest {
  private static Scheme async(int batchSize) {
    return async(batchSize, 1);
  }

  private static Scheme async(int batchSize, int gradients) {
    return Schemes.named("async")
        .create(new SchemeOptions(batchSize, 2).with(Async.GRADIENTS, gradients));
  }

  /** Batches take 10 ms at worker 1 and 25 ms at worker 2. */
  private static TrainingRun twoWorkers() {
    return TrainingRun.plan(async(10), 2).speeds(1, 0.4).rule("sgd", 0.01, 0).steps(7).run();
  }

  @Test
  void everyGradientIsAnUpdateAsItComes() {
    TrainingRun run = twoWorkers();
    double[] times = run.steps().stream().mapToDouble(record -> record.time()).toArray();
    assertArrayEquals(new double[] {.01, .02, .025, .03, .04, .05, .05}, times, 1e-9);
    assertEquals(List.of(1, 1, 2, 1, 1, 1, 2), run.workers().stream().map(r -> r.rank()).toList());
    assertEquals(70, run.accountedExamples());
  }

  @Test
  void stalenessCountsUpdatesSinceTheParameters() {
    assertEquals(
        List.of(0L, 0L, 2L, 1L, 0L, 0L, 3L),
        twoWorkers().workers().stream().map(r -> r.staleness()).toList());
  }

  /** K = 3: worker 1's gradients come at 10, 20, 30, 40 and 50 ms, worker 2's at 25 ms. */
  @Test
  void kGradientsAreOneUpdate() {
    TrainingRun run =
        TrainingRun.plan(async(10, 3), 2).speeds(1, 0.4).rule("sgd", 0.01, 0).steps(2).run();
    double[] times = run.steps().stream().mapToDouble(record -> record.time()).toArray();
    assertArrayEquals(new double[] {.025, .05}, times, 1e-9);
    assertEquals(List.of(1, 1, 2, 1, 1, 1), run.workers().stream().map(r -> r.rank()).toList());
    assertEquals(
        List.of(0L, 0L, 0L, 1L, 0L, 0L), run.workers().stream().map(r -> r.staleness()).toList());
    run.assertParametersAreNearly(
        byHand(new int[] {1, 1, 2, 1, 1, 1}, new int[] {0, 0, 0, 0, 1, 1}, 3), 30, 2);
  }

  /** Of six gradients per update, one of the two workers computes at least three. */
  @Test
  void batchesOfAStepHaveDelaysOfTheirOwn() {
    TrainingRun run = TrainingRun.plan(async(10, 6), 2).delays(r -> r.nextDouble()).steps(3).run();
    double[] delays = run.sent.stream().mapToDouble(r -> r.sleepTime()).toArray();
    assertEquals(delays.length, Arrays.stream(delays).distinct().count());
  }

  @Test
  void parametersAreThoseOfTheUpdatesDoneByHand() {
    int[] ranks = {1, 1, 2, 1, 1, 1, 2};
    int[] used = {0, 1, 0, 2, 4, 5, 3};
    twoWorkers().assertParametersAreNearly(byHand(ranks, used, 1), 10, 7);
  }

  /**
   * The same updates, computed without messages.
   *
   * @param ranks whose gradient each is
   * @param used after how many updates its parameters were the newest
   * @param perUpdate gradients per update, K
   */
  private static float[] byHand(int[] ranks, int[] used, int perUpdate) {
    GradientSource model = TrainingRun.source();
    int size = model.layout().size();
    int updates = ranks.length / perUpdate;
    float[][] w = new float[updates + 1][size];
    model.initialize(Seeds.of(1), w[0]);
    var orders =
        IntStream.range(0, 2)
            .mapToObj(
                i -> new ExampleOrder(new Streams(Seeds.of(1)), model.trainingExamples(), i, 2))
            .toList();
    int[] batch = new int[10];
    float[] gradient = new float[size];
    for (int update = 0; update < updates; update++) {
      double[] sum = new double[size];
      for (int k = update * perUpdate; k < (update + 1) * perUpdate; k++) {
        var order = orders.get(ranks[k] - 1);
        order.peek(batch);
        order.advance(10);
        model.begin(w[used[k]], 0);
        model.accumulate(batch, 0, 10);
        model.finish(gradient);
        Arrays.setAll(sum, i -> sum[i] + gradient[i]);
      }
      for (int i = 0; i < size; i++) {
        w[update + 1][i] = (float) (w[update][i] - 0.01 * sum[i] / (10 * perUpdate));
      }
    }
    return w[updates];
  }

  @Property(tries = 20)
  void noExampleAndNoUpdateIsLost(
      @ForAll @IntRange(min = 1, max = 6) int workers, @ForAll long seed) {
    TrainingRun run =
        TrainingRun.plan(async(5), workers).seed(seed).delays(r -> r.nextDouble()).steps(40).run();
    assertEquals(200, run.accountedExamples());
    assertEquals(40, run.workers().size());
    assertEquals(workers - 1, run.drops().size());
  }

  @Test
  void learns() {
    TrainingRun run = TrainingRun.plan(async(24), 3).steps(600).run();
    run.assertLearnt();
  }

  /**
   * A tenth of the way to 0 at the parameters of 39 updates ago is a step of 0.1/40. The statistic
   * r falls and stays above 0, so that each update of the last 2,000 leaves at most (1 − 0.1/40) r.
   */
  @Test
  void staleStatisticsConverge() {
    TrainingRun run =
        TrainingRun.plan(async(1), 40).sources(source -> new Statistic()).steps(2040).run();
    assertEquals(39, run.workers().get(2039).staleness());
    assertEquals(0, run.parameters[0], Math.exp(-5));
  }

  /** A running statistic, 1 at first, of batches whose statistic is 0. */
  private static final class Statistic implements GradientSource {
    private float running;
    private int examples;

    @Override
    public Layout layout() {
      return new Layout(List.of(new Block("r", Block.Kind.RUNNING_STATISTIC, 0, 1)));
    }

    @Override
    public int trainingExamples() {
      return 240;
    }

    @Override
    public int testExamples() {
      return 1;
    }

    @Override
    public void initialize(long seed, float[] parameters) {
      parameters[0] = 1;
    }

    @Override
    public void begin(FloatBuffer parameters, long drawSeed) {
      running = parameters.get(0);
      examples = 0;
    }

    @Override
    public double accumulate(int[] indices, int from, int to) {
      examples += to - from;
      return 0;
    }

    @Override
    public void finish(FloatBuffer gradient) {
      gradient.put(0, examples * 0.1f * running);
    }

    @Override
    public Evaluation evaluate(float[] parameters, int[] indices, int from, int to) {
      return new Evaluation(0, 0, to - from);
    }

    @Override
    public void close() {
      // Nothing to free.
    }
  }
}
