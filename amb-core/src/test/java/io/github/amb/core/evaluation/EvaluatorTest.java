package io.github.amb.core.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.thread.Daemon;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EvaluatorTest {
  private final AtomicLong now = new AtomicLong();
  private final List<EvaluationRecord> records = Collections.synchronizedList(new ArrayList<>());

  /** Time moves by a second for every test example. */
  private final Clock clock =
      new Clock() {
        @Override
        public long now() {
          return now.get();
        }

        @Override
        public void sleep(long nanos) {
          now.addAndGet(nanos);
        }

        @Override
        public void charge(Work work, long amount) {
          now.addAndGet(amount * 1_000_000_000L);
        }
      };

  private BlockingEvaluator blocking(int every, int testSize) {
    var source = SoftmaxRegression.blobs(3, 4, 30, 50, Seeds.of(1));
    return new BlockingEvaluator(
        source,
        clock,
        new Streams(Seeds.of(1)),
        every,
        testSize,
        (result, tested) -> records.add(result));
  }

  private static float[] parameters() {
    var source = SoftmaxRegression.blobs(3, 4, 30, 50, Seeds.of(1));
    float[] parameters = new float[source.layout().size()];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = (i * 7 % 5) - 2;
    }
    return parameters;
  }

  @Test
  void metricsAreOfAllExamplesTogether() {
    var source = SoftmaxRegression.blobs(3, 4, 30, 2 * BlockingEvaluator.PART + 9, Seeds.of(1));
    float[] parameters = parameters();
    new BlockingEvaluator(
            source, clock, new Streams(1), 1, -1, (result, tested) -> records.add(result))
        .offer(0, 1, parameters);
    int[] all = IntStream.range(0, source.testExamples()).toArray();
    double loss = source.evaluate(parameters, all, 0, all.length).loss();
    assertEquals(Math.exp(loss), records.get(0).metrics().get("perplexity"), 1e-9);
  }

  @Test
  void blockingEvaluatesEveryKthStep() {
    try (var evaluator = blocking(3, -1)) {
      for (int step = 1; step <= 7; step++) {
        evaluator.offer(step * 0.5, step, parameters());
      }
      evaluator.last(3.5, 7, parameters());
    }
    assertEquals(List.of(3L, 6L, 7L), records.stream().map(EvaluationRecord::step).toList());
    assertEquals(List.of(1.5, 3.0, 3.5), records.stream().map(EvaluationRecord::time).toList());
    assertEquals(50, records.get(0).testSize());
    assertEquals(50.0, records.get(0).duration(), 1e-9);
  }

  @Test
  void theLastStepIsNotEvaluatedTwice() {
    try (var evaluator = blocking(2, -1)) {
      evaluator.offer(1, 2, parameters());
      evaluator.last(1, 2, parameters());
    }
    assertEquals(1, records.size());
  }

  @Test
  void aTestSubsetIsDrawnEachTime() {
    try (var evaluator = blocking(1, 10)) {
      evaluator.offer(1, 1, parameters());
      evaluator.offer(2, 2, parameters());
    }
    assertEquals(10, records.get(0).testSize());
    assertNotEquals(records.get(0).testLoss(), records.get(1).testLoss());
  }

  @Test
  void aResumedRunTestsTheSameSubsets() {
    try (var evaluator = blocking(1, 10)) {
      evaluator.offer(1, 1, parameters());
      evaluator.offer(2, 2, parameters());
    }
    try (var evaluator = blocking(1, 10)) {
      evaluator.offer(2, 2, parameters());
    }
    assertEquals(records.get(1).testLoss(), records.get(2).testLoss());
  }

  @Test
  void theMeanOverManySubsetsIsTheWholeTestSet() {
    try (var evaluator = blocking(1, 10)) {
      for (int step = 1; step <= 2000; step++) {
        evaluator.offer(step, step, parameters());
      }
    }
    double mean = records.stream().mapToDouble(EvaluationRecord::testLoss).average().orElseThrow();
    records.clear();
    try (var whole = blocking(1, -1)) {
      whole.offer(1, 1, parameters());
    }
    assertEquals(records.get(0).testLoss(), mean, 0.05 * records.get(0).testLoss());
  }

  @Test
  void backgroundTakesTheLastStepWhateverItDeclined() {
    try (var evaluator = new BackgroundEvaluator(blocking(1, -1), clock, 1)) {
      for (int step = 1; step <= 5; step++) {
        evaluator.offer(step, step, parameters());
      }
      evaluator.last(5, 5, parameters());
    }
    assertEquals(5, records.get(records.size() - 1).step());
    assertEquals(records.stream().map(EvaluationRecord::step).distinct().count(), records.size());
  }

  @Test
  void backgroundDeclinesUntilItsShareOfTheTimeHasPassed() {
    try (var evaluator = new BackgroundEvaluator(blocking(1, -1), clock, 1)) {
      evaluator.last(0, 1, parameters());
      evaluator.offer(1, 2, parameters());
      now.addAndGet(199L * 1_000_000_000L);
      evaluator.offer(2, 3, parameters());
      now.addAndGet(1_000_000_000L);
      evaluator.offer(3, 4, parameters());
    }
    assertEquals(List.of(1L, 4L), records.stream().map(EvaluationRecord::step).toList());
  }

  @Test
  void aSnapshotIsNotChangedByLaterSteps() throws InterruptedException {
    CountDownLatch offered = new CountDownLatch(1);
    float[] seen = new float[1];
    Evaluator slow =
        new Evaluator() {
          @Override
          public void offer(double time, long step, float[] parameters) {}

          @Override
          public void last(double time, long step, float[] parameters) {
            try {
              offered.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            seen[0] = parameters[0];
          }

          @Override
          public EvaluationRecord newest() {
            return null;
          }

          @Override
          public void close() {}
        };
    float[] parameters = {1};
    try (var evaluator = new BackgroundEvaluator(slow, clock, 1)) {
      evaluator.offer(1, 1, parameters);
      parameters[0] = 2;
      offered.countDown();
    }
    assertEquals(1, seen[0]);
  }

  @Test
  void aFailureInTheBackgroundReachesTheMaster() {
    Evaluator broken = blocking(1, -1);
    try (var evaluator = new BackgroundEvaluator(broken, clock, 1)) {
      var e = assertThrows(EngineException.class, () -> evaluator.last(1, 1, new float[1]));
      assertTrue(e.getMessage().startsWith("evaluation failed"));
    }
  }

  /** An evaluator that waits, or fails, and notes whether it is closed amid an evaluation. */
  private static final class Watched implements Evaluator {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch proceed = new CountDownLatch(1);
    private final Error error;
    private volatile boolean evaluates;
    private volatile boolean closed;
    private volatile boolean closedAmid;

    Watched(Error error) {
      this.error = error;
    }

    @Override
    public void offer(double time, long step, float[] parameters) {}

    @Override
    public void last(double time, long step, float[] parameters) {
      if (error != null) {
        throw error;
      }
      evaluates = true;
      begun.countDown();
      try {
        proceed.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      evaluates = false;
    }

    @Override
    public EvaluationRecord newest() {
      return null;
    }

    @Override
    public void close() {
      closedAmid |= evaluates;
      closed = true;
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anErrorInTheBackgroundReachesTheMaster() {
    Watched broken = new Watched(new StackOverflowError("deep"));
    var evaluator = new BackgroundEvaluator(broken, clock, 1);
    var e = assertThrows(EngineException.class, () -> evaluator.last(1, 1, new float[1]));
    assertEquals("evaluation failed: java.lang.StackOverflowError: deep", e.getMessage());
    evaluator.close();
    assertTrue(broken.closed);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void itsEndWaitsForAnEvaluationAlsoWhenInterrupted() throws InterruptedException {
    Watched slow = new Watched(null);
    var evaluator = new BackgroundEvaluator(slow, clock, 1);
    evaluator.offer(1, 1, new float[1]);
    slow.begun.await();
    boolean[] closedWhenDone = {false};
    Thread closing =
        Daemon.start(
            "closing",
            () -> {
              evaluator.close();
              closedWhenDone[0] = slow.closed;
            });
    closing.interrupt();
    while (closing.isAlive()
        && (closing.isInterrupted() || closing.getState() != Thread.State.TIMED_WAITING)) {
      Thread.onSpinWait();
    }
    slow.proceed.countDown();
    closing.join();
    assertTrue(closedWhenDone[0]);
    assertFalse(slow.closedAmid);
  }

  /** A resumed evaluator does not test in an interval again. */
  @Test
  void theFirstParametersOfEachIntervalAreOffered() {
    List<Long> offered = new ArrayList<>();
    StateMap state = new StateMap();
    TimedEvaluator part = new TimedEvaluator(recording(offered), 10);
    for (double time : new double[] {9.9, 10, 19.9, 35}) {
      part.offer(time, (long) (10 * time), new float[1]);
    }
    state.save("evaluator", part);
    TimedEvaluator resumed = new TimedEvaluator(recording(offered), 10);
    state.restore("evaluator", resumed);
    resumed.offer(39, 390, new float[1]);
    resumed.offer(40, 400, new float[1]);
    assertEquals(List.of(100L, 350L, 400L), offered);
  }

  private static Evaluator recording(List<Long> offered) {
    return new Evaluator() {
      @Override
      public void offer(double time, long step, float[] parameters) {
        offered.add(step);
      }

      @Override
      public void last(double time, long step, float[] parameters) {}

      @Override
      public EvaluationRecord newest() {
        return null;
      }

      @Override
      public void close() {}
    };
  }
}
