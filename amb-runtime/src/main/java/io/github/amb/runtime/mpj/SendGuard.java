package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.thread.Daemon;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts a sender that is stuck in a write to a rank that does not read.
 *
 * <p>The interrupt closes the connection, as half a message cannot be taken back. Sending therefore
 * gets some patience beyond a deadline that is near or has passed. The guard's thread sleeps until
 * the last known deadline, not from send to send.
 */
final class SendGuard implements AutoCloseable {
  /** Minimum time for sending, in nanoseconds. */
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  private Thread guard;
  private Thread sender;
  private long deadline;
  private long alarm = Clock.NEVER;
  private boolean fired;
  private boolean closed;

  /** A deadline for sending that starts now and should end by {@code deadline}, with patience. */
  static long patient(long deadline) {
    long least = System.nanoTime() + PATIENCE;
    return deadline == Clock.NEVER || deadline - least > 0 ? deadline : least;
  }

  /** The calling thread starts to write, until {@code deadline} at most. */
  synchronized void begin(long deadline) {
    fired = false;
    if (deadline == Clock.NEVER) {
      return;
    }
    this.deadline = deadline;
    sender = Thread.currentThread();
    if (guard == null) {
      guard = Daemon.start("mpj-send-guard", this::watch);
    } else if (alarm == Clock.NEVER || alarm - this.deadline > 0) {
      notifyAll();
    }
  }

  /**
   * The calling thread has stopped writing.
   *
   * @return whether the guard interrupted it; the thread's interrupt flag is clear then
   */
  synchronized boolean end() {
    sender = null;
    if (fired) {
      Thread.interrupted();
    }
    return fired;
  }

  private synchronized void watch() {
    try {
      while (!closed) {
        fireIfDue();
        alarm = sender == null ? Clock.NEVER : deadline;
        if (alarm == Clock.NEVER) {
          wait();
        } else {
          wait(Math.max(1, (alarm - System.nanoTime()) / 1_000_000));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fireIfDue() {
    if (sender != null && deadline - System.nanoTime() <= 0) {
      fired = true;
      sender.interrupt();
      sender = null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
