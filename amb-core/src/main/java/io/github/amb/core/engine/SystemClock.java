package io.github.amb.core.engine;

import java.util.concurrent.locks.LockSupport;

/**
 * The clock of real engines: {@link System#nanoTime}. Charging work does nothing, as the work
 * itself takes time.
 */
public final class SystemClock implements Clock {
  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public void sleep(long nanos) {
    if (nanos <= 0) {
      return;
    }
    long start = System.nanoTime();
    for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw new EngineException("interrupted while sleeping for " + nanos + " ns");
      }
    }
  }

  @Override
  public void charge(Work work, long amount) {}
}
