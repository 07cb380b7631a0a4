package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.amb.core.engine.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SendGuardTest {
  private final SendGuard guard = new SendGuard();

  @AfterEach
  void close() {
    guard.close();
  }

  @Test
  void aStuckSenderIsInterrupted() {
    guard.begin(SendGuard.patient(System.nanoTime()));
    assertThrows(InterruptedException.class, () -> Thread.sleep(20_000));
    Thread.currentThread().interrupt();
    assertTrue(guard.end());
    assertFalse(Thread.interrupted());
  }

  @Test
  void senderThatEndsInTimeIsLeftAlone() throws InterruptedException {
    guard.begin(SendGuard.patient(System.nanoTime()));
    assumeFalse(guard.end(), "the machine has stopped this thread for longer than the patience");
    Thread.sleep(SendGuard.PATIENCE / 1_000_000 + 300);
    guard.begin(Clock.NEVER);
    Thread.sleep(300);
    assertFalse(guard.end());
  }

  @Test
  void earlierDeadlineThanTheLastIsKept() {
    guard.begin(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    guard.end();
    guard.begin(SendGuard.patient(System.nanoTime()));
    assertThrows(InterruptedException.class, () -> Thread.sleep(20_000));
    guard.end();
  }
}
