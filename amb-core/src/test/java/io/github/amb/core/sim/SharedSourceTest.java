package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.gradient.GradientSource;
import org.junit.jupiter.api.Test;

class SharedSourceTest {
  private static final CostModel COSTS = CostModel.perExample(1e-3);

  private static Training train(java.util.function.Supplier<GradientSource> sources) {
    return Training.run(
        new VirtualCluster(9, COSTS),
        Training.amb(20, 0.01, 5),
        sources,
        rank -> DelayModels.named("cedar").scaled(0.05),
        10);
  }

  @Test
  void oneModelServesAllRanksAndChangesNothing() {
    try (SharedSource shared = new SharedSource(Training::softmax)) {
      Training together = train(shared::view);
      Training apart = train(Training::softmax);
      assertArrayEquals(apart.parameters(), together.parameters());
      assertEquals(apart.records, together.records);
      assertEquals(1, shared.opened());
    }
  }

  @Test
  void sumsUnderWayAtOnceHaveAModelEach() {
    float[] parameters = new float[Training.softmax().layout().size()];
    int[] examples = {3, 5, 8, 13};
    float[] expected = parameters.clone();
    GradientSource alone = Training.softmax();
    alone.begin(parameters, 1);
    alone.accumulate(examples, 0, 4);
    alone.finish(expected);
    try (SharedSource shared = new SharedSource(Training::softmax)) {
      GradientSource first = shared.view();
      GradientSource second = shared.view();
      float[] gradient = new float[parameters.length];
      first.begin(parameters, 1);
      first.accumulate(examples, 0, 2);
      second.begin(parameters, 1);
      second.accumulate(examples, 1, 2);
      first.accumulate(examples, 2, 4);
      first.finish(gradient);
      second.finish(new float[parameters.length]);
      first.begin(parameters, 1);
      first.finish(new float[parameters.length]);
      assertEquals(2, shared.opened());
      assertArrayEquals(expected, gradient, 1e-5f);
    }
  }

  @Test
  void aFailureOfTheModelReachesTheRank() {
    var cause = new IllegalStateException("no model");
    assertSame(
        cause,
        assertThrows(
            IllegalStateException.class,
            () ->
                new SharedSource(
                    () -> {
                      throw cause;
                    })));
  }
}
