package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.scheme.Scheme;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SharedSourceTest {
  private static final CostModel COSTS = CostModel.perExample(1e-3);

  private static Training train(Scheme scheme, Function<Clock, GradientSource> sources) {
    return Training.runOn(
        new VirtualCluster(9, COSTS),
        scheme,
        sources,
        rank -> DelayModels.named("cedar").scaled(0.05),
        10);
  }

  @Test
  void fewModelsServeAllRanksAndChangeNothing() {
    for (String name : List.of("fmb", "async", "amb", "amb-dg", "local-sgd")) {
      Scheme scheme =
          name.startsWith("amb")
              ? Training.scheme(name, "amb-time-limit=0.01", "amb-num-partitions=4")
              : Training.scheme(name);
      Training apart = train(scheme, clock -> Training.softmax());
      for (int models = 1; models <= 3; models++) {
        try (SharedSource shared = new SharedSource(Training::softmax, models)) {
          Training together = train(scheme, shared::view);
          assertArrayEquals(apart.parameters(), together.parameters(), name);
          assertEquals(apart.records, together.records, name);
          assertTrue(shared.opened() <= models, name);
        }
      }
    }
  }

  /** A model that begins only when as many others as it waits for have begun, too. */
  private static GradientSource together(CyclicBarrier barrier) {
    SoftmaxRegression model = SoftmaxRegression.blobs(4, 6, 240, 60, 7);
    return (GradientSource)
        Proxy.newProxyInstance(
            SharedSourceTest.class.getClassLoader(),
            new Class<?>[] {GradientSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("accumulate")) {
                barrier.await(30, TimeUnit.SECONDS);
              }
              return method.invoke(model, arguments);
            });
  }

  /** With less than 3 at once the barrier would never open. */
  @Test
  void computationsThatOverlapInVirtualTimeAreDoneAtTheSameTime() {
    CyclicBarrier barrier = new CyclicBarrier(3);
    try (SharedSource shared = new SharedSource(() -> together(barrier), 3)) {
      Training run =
          Training.runOn(
              new VirtualCluster(4, COSTS),
              Training.fmb(20),
              shared::view,
              rank -> DelayModel.NONE,
              5);
      assertEquals(15, run.workers().size());
      assertEquals(3, shared.opened());
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
