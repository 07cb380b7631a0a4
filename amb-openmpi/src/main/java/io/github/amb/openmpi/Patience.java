package io.github.amb.openmpi;

import io.github.amb.core.engine.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a rank waits for MPI, which can only be asked again and again: at first at once, then letting
 * other threads go first, and at last asleep between two questions, so that a rank which waits for
 * long leaves its core to others. As MPI moves data when it is asked, sleep comes later while there
 * is data to move.
 */
final class Patience {
  private static final long SPIN = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long YIELD = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long YIELD_SENDING = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long YIELD_RECEIVING = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SLEEP = TimeUnit.MICROSECONDS.toNanos(50);

  private long start;

  /** Waiting begins. */
  void begin() {
    start = System.nanoTime();
  }

  /**
   * Lets some time pass, the more the longer it has lasted.
   *
   * @param receiving whether a payload is on its way to this rank
   * @param sending whether one is on its way from it, perhaps to a rank that is not in MPI
   */
  void pause(boolean receiving, boolean sending) {
    long waited = System.nanoTime() - start;
    if (waited < SPIN) {
      Thread.onSpinWait();
    } else if (waited < (receiving ? YIELD_RECEIVING : sending ? YIELD_SENDING : YIELD)) {
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
