package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SystemClockTest {
  private final SystemClock clock = new SystemClock();

  @Test
  void sleepNeverEndsEarlyEvenIfUnparked() {
    for (long nanos : new long[] {-1, 0, 1, 1000, 3_000_000}) {
      LockSupport.unpark(Thread.currentThread());
      long start = clock.now();
      clock.sleep(nanos);
      assertTrue(clock.now() - start >= nanos);
    }
  }

  @Test
  void interruptEndsSleep() {
    Thread.currentThread().interrupt();
    assertThrows(EngineException.class, () -> clock.sleep(60_000_000_000L));
    assertTrue(Thread.interrupted());
    assertFalse(Thread.interrupted());
  }
}
