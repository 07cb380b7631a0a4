package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Interleavings.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.amb.core.record.BackgroundLog;
import io.github.amb.core.record.EndRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.thread.UseCount;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of the core's classes, in many orders of their steps. */
@Tag("lab")
class CoreInterleavingsTest {
  @ParameterizedTest
  @ValueSource(classes = {MemoryIsFreedAfterItsLastUse.class, RecordsArriveInOrder.class})
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
}
