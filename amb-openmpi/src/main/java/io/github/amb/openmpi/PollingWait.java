package io.github.amb.openmpi;

import io.github.amb.core.engine.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a rank waits for MPI, which can only be asked again and again: at first at once, then letting
 * other threads go first, and at last asleep between two questions, so that a rank which waits for
 * long leaves its core alone.
 *
 * <p>Not asleep soon, though it would leave its core to others in either case: where ranks are more
 * than cores, those that sleep wake up on the core where others do, beside one that is kept busy by
 * a rank that asks, and receive one after the other what they could receive at once.
 */
final class PollingWait {
  private static final long SPIN = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long YIELD = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SLEEP = TimeUnit.MICROSECONDS.toNanos(50);

  private long start;

  /** Waiting begins. */
  void begin() {
    start = System.nanoTime();
  }

  /** Lets some time pass, the more the longer it has lasted. */
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
