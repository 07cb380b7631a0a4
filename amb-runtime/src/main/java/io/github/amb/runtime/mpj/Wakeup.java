package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Wakes the one thread that uses the engine after a change. */
final class Wakeup {
  private volatile Thread waiter;

  /** Reports a change; cheap if no thread waits. */
  void ring() {
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Waits until {@code condition} holds; it is tested before the first wait and after every ring.
   *
   * @param condition the condition
   * @param deadline on {@link System#nanoTime}, or {@link Clock#NEVER}
   * @return false if the deadline passed first
   * @throws EngineException if the thread is interrupted
   */
  boolean await(BooleanSupplier condition, long deadline) {
    waiter = Thread.currentThread();
    try {
      while (!condition.getAsBoolean()) {
        if (!park(deadline)) {
          return condition.getAsBoolean();
        }
      }
      return true;
    } finally {
      waiter = null;
    }
  }

  private boolean park(long deadline) {
    if (deadline == Clock.NEVER) {
      LockSupport.park(this);
    } else {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      LockSupport.parkNanos(this, left);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new EngineException("interrupted while waiting for another rank");
    }
    return true;
  }
}
