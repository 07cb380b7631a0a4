package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.thread.Daemon;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SharedSourceTest {
  private static final CostModel COSTS = CostModel.perExample(1e-3);
  private static final Clock REAL = new SystemClock();

  private static SimulatedTraining train(Scheme scheme, Function<Clock, GradientSource> sources) {
    return SimulatedTraining.runOn(
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
              ? SimulatedTraining.scheme(name, "amb-time-limit=0.01", "amb-num-partitions=4")
              : SimulatedTraining.scheme(name);
      SimulatedTraining apart = train(scheme, clock -> SimulatedTraining.softmax());
      for (int models = 1; models <= 3; models++) {
        AtomicInteger opened = new AtomicInteger();
        try (SharedSource shared =
            new SharedSource(counted(SimulatedTraining::softmax, opened), models)) {
          SimulatedTraining together = train(scheme, shared::view);
          assertArrayEquals(apart.parameters(), together.parameters(), name);
          assertEquals(apart.records, together.records, name);
          assertTrue(opened.get() <= models, name);
        }
      }
    }
  }

  private static Supplier<GradientSource> counted(
      Supplier<GradientSource> factory, AtomicInteger opened) {
    return () -> {
      opened.incrementAndGet();
      return factory.get();
    };
  }

  /** A model that begins only when as many others as it waits for have begun, too. */
  private static GradientSource together(CyclicBarrier barrier) {
    SoftmaxRegression model = SoftmaxRegression.blobs(4, 6, 240, 60, Seeds.of(7));
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
  void computationsThatOverlapRunAtTheSameTime() {
    CyclicBarrier barrier = new CyclicBarrier(3);
    AtomicInteger opened = new AtomicInteger();
    try (SharedSource shared = new SharedSource(counted(() -> together(barrier), opened), 3)) {
      SimulatedTraining run =
          SimulatedTraining.runOn(
              new VirtualCluster(4, COSTS),
              SimulatedTraining.fmb(20),
              shared::view,
              rank -> DelayModel.NONE,
              5);
      assertEquals(15, run.workers().size());
      assertEquals(3, opened.get());
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

  /** Closed by one thread while another one's sum is being computed. */
  @Test
  void modelsAreFreedWhenNothingIsComputed() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch proceed = new CountDownLatch(1);
    SharedMemory memory =
        new SharedMemory(
            () -> {
              begun.countDown();
              awaitLatch(proceed);
            });
    SharedSource shared = new SharedSource(memory::open, 2);
    Thread user = Daemon.start("user", () -> sum(shared.view(REAL), REAL));
    awaitLatch(begun);
    Thread closing = Daemon.start("closing", shared::close);
    while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    proceed.countDown();
    user.join();
    closing.join();
    assertEquals(0, memory.violations());
  }

  private static void sum(GradientSource view, Clock clock) {
    float[] vector = new float[view.layout().size()];
    view.begin(vector, 1);
    view.accumulate(new int[] {1, 2, 3}, 0, 3);
    clock.charge(Work.PARTITION, 3);
    view.finish(vector);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A rank fails, and the others end, while sums are computed that nobody waits for. */
  @Test
  void whateverRankFailsWhenNothingIsFreedInUse() {
    for (int seed = 1; seed <= 60; seed++) {
      RandomGenerator random = new Random(Seeds.of(seed));
      int failing = 1 + random.nextInt(20);
      AtomicInteger left = new AtomicInteger(1 + random.nextInt(30));
      SharedMemory memory = new SharedMemory(() -> pause(random.nextInt(200_000)));
      var failure = new IllegalStateException("diverged");
      try (SharedSource shared = new SharedSource(memory::open, 2)) {
        VirtualCluster cluster = new VirtualCluster(20, COSTS);
        RuntimeException thrown =
            assertThrows(
                IllegalStateException.class,
                () ->
                    cluster.run(
                        (communicator, clock) -> {
                          GradientSource view = shared.view(clock);
                          while (communicator.rank() != failing % 20 || left.get() > 0) {
                            sum(view, clock);
                            left.decrementAndGet();
                          }
                          throw failure;
                        }));
        assertSame(failure, thrown);
      }
      assertEquals(0, memory.violations(), "seed " + seed);
    }
  }

  private static void pause(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aSumAfterTheEndIsRejected() {
    SharedSource shared = new SharedSource(SimulatedTraining::softmax, 1);
    GradientSource view = shared.view(REAL);
    shared.close();
    shared.close();
    assertThrows(IllegalStateException.class, () -> sum(view, REAL));
  }
}
