package io.github.amb.core.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UseCountTest {
  private final UseCount uses = new UseCount("a model");

  @Test
  void aUseAfterTheEndIsRejected() {
    uses.enter().close();
    assertTrue(uses.close());
    assertEquals(
        "expected a model in use, found it closed",
        assertThrows(IllegalStateException.class, uses::enter).getMessage());
  }

  @Test
  void onlyTheFirstEndCounts() {
    assertTrue(uses.close());
    assertFalse(uses.close());
  }

  @Test
  void theEndWaitsForAUseAlsoWhenInterrupted() throws InterruptedException {
    UseCount.Use use = uses.enter();
    AtomicInteger freed = new AtomicInteger();
    boolean[] interrupted = {false};
    Thread closing =
        new Thread(
            () -> {
              uses.close();
              freed.incrementAndGet();
              interrupted[0] = Thread.interrupted();
            });
    closing.start();
    closing.interrupt();
    while (closing.isInterrupted() || closing.getState() != Thread.State.WAITING) {
      assertTrue(closing.isAlive());
      Thread.onSpinWait();
    }
    assertEquals(0, freed.get());
    use.close();
    closing.join();
    assertEquals(1, freed.get());
    assertTrue(interrupted[0]);
  }
}
