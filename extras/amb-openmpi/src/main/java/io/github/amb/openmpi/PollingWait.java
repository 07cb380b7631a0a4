package io.github.amb.openmpi;

import io.github.amb.core.engine.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a rank waits for MPI, which it must poll: at first without a pause, then yielding between two
 * polls, and at last sleeping. A long wait so leaves the core to others.
 *
 * <p>It does not sleep early, although that would leave the core to others, too. With more ranks
 * than cores, sleeping ranks wake up on one core, beside a core that a polling rank keeps busy.
 * They would then receive one after the other what they can receive at once.
 */
final class PollingWait {
  private static final long SPIN = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long YIELD = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SLEEP = TimeUnit.MICROSECONDS.toNanos(50);

  private long start;

  /** Begins a wait. */
  void begin() {
    start = System.nanoTime();
  }

  /** Lets time pass between two polls, more in a long wait. */
  void pause() {
    long waited = System.nanoTime() - start;
    if (waited < SPIN) {
      Thread.onSpinWait();
    } else if (waited < YIELD) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(SLEEP);
    }
  }

  /** Whether a deadline has passed. */
  static boolean isOver(long deadline) {
    return deadline != Clock.NEVER && System.nanoTime() - deadline >= 0;
  }
}
