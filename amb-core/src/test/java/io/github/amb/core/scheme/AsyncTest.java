package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AsyncTest {
  private static Scheme async(int batchSize) {
    return Schemes.named("async").create(new SchemeOptions(batchSize, 2));
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

  /** The same updates, computed without messages. */
  @Test
  void parametersAreThoseOfTheUpdatesDoneByHand() {
    GradientSource model = TrainingRun.source();
    int size = model.layout().size();
    float[][] w = new float[8][size];
    model.initialize(Seeds.of(1), w[0]);
    int[] ranks = {1, 1, 2, 1, 1, 1, 2};
    int[] used = {0, 1, 0, 2, 4, 5, 3};
    var orders =
        IntStream.range(0, 2)
            .mapToObj(
                i -> new ExampleOrder(new Streams(Seeds.of(1)), model.trainingExamples(), i, 2))
            .toList();
    int[] batch = new int[10];
    float[] gradient = new float[size];
    for (int k = 0; k < 7; k++) {
      var order = orders.get(ranks[k] - 1);
      order.peek(batch);
      order.advance(10);
      model.begin(w[used[k]], 0);
      model.accumulate(batch, 0, 10);
      model.finish(gradient);
      for (int i = 0; i < size; i++) {
        w[k + 1][i] = w[k][i] - 0.01f * (0.1f * gradient[i]);
      }
    }
    twoWorkers().assertParametersAreNearly(w[7], 10, 7);
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
}
