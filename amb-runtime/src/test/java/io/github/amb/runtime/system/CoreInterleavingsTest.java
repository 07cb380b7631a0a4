package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Interleavings.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.evaluation.BackgroundEvaluator;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.record.BackgroundLog;
import io.github.amb.core.record.EndRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.thread.UseCount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of the core's classes, in many orders of their steps. */
@Tag("lab")
class CoreInterleavingsTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        MemoryIsFreedAfterItsLastUse.class,
        RecordsArriveInOrder.class,
        ASnapshotStaysWhileItIsEvaluated.class
      })
  void everyOrderIsRight(Class<? extends Interleavings.Body> body) throws Exception {
    Interleavings.check(body, 300);
  }

  static final class MemoryIsFreedAfterItsLastUse implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      UseCount uses = new UseCount("memory");
      boolean[] freed = new boolean[1];
      Thread one = start(() -> use(uses, freed));
      Thread other = start(() -> use(uses, freed));
      Thread owner = start(() -> free(uses, freed));
      free(uses, freed);
      for (Thread thread : List.of(one, other, owner)) {
        thread.join();
      }
    }

    private static void use(UseCount uses, boolean[] freed) {
      for (int i = 0; i < 2; i++) {
        UseCount.Use use;
        try {
          use = uses.enter();
        } catch (IllegalStateException e) {
          return; // It is closed.
        }
        Thread.yield();
        assertFalse(freed[0]);
        use.close();
      }
    }

    private static void free(UseCount uses, boolean[] freed) {
      if (uses.close()) {
        assertFalse(freed[0]);
        freed[0] = true;
      }
    }
  }

  static final class RecordsArriveInOrder implements Interleavings.Body {
    @Override
    public void run() throws InterruptedException {
      List<LogRecord> accepted = new ArrayList<>();
      List<LogRecord> passed = new ArrayList<>();
      BackgroundLog log = new BackgroundLog(passed::add);
      Thread other = start(log::flush);
      for (int i = 0; i < 2; i++) {
        accept(log, accepted);
      }
      log.flush();
      assertEquals(accepted, passed);
      accept(log, accepted);
      log.close();
      assertEquals(accepted, passed);
      other.join();
    }

    private static void accept(BackgroundLog log, List<LogRecord> accepted) {
      LogRecord record = new EndRecord(0, accepted.size(), 0, 0, 1);
      accepted.add(record);
      log.accept(record);
    }
  }

  /** Training goes on with the same array, and ends while a step is being evaluated. */
  static final class ASnapshotStaysWhileItIsEvaluated implements Interleavings.Body {
    @Override
    public void run() {
      Evaluated evaluated = new Evaluated();
      float[] parameters = new float[2];
      BackgroundEvaluator evaluator = new BackgroundEvaluator(evaluated, new SystemClock(), 1);
      for (int step = 1; step <= 3; step++) {
        Arrays.fill(parameters, step);
        evaluator.offer(0, step, parameters);
      }
      Arrays.fill(parameters, 4);
      evaluator.last(0, 4, parameters);
      assertTrue(evaluated.right);
      assertEquals(4, evaluated.step);
      evaluator.close();
      assertEquals(-1, evaluated.step);
    }
  }

  /** Compares the ends of what it evaluates. */
  private static final class Evaluated implements Evaluator {
    private long step;
    private boolean right = true;

    @Override
    public void offer(double time, long step, float[] parameters) {}

    @Override
    public void last(double time, long step, float[] parameters) {
      boolean whole = parameters[0] == step;
      Thread.yield();
      right &= whole && parameters[1] == step && this.step < step;
      this.step = step;
    }

    @Override
    public EvaluationRecord newest() {
      return null;
    }

    @Override
    public void close() {
      step = -1;
    }
  }
}
