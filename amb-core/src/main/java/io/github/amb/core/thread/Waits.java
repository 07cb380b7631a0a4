package io.github.amb.core.thread;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits of threads that may be interrupted meanwhile. They keep the thread's interrupt flag. */
public final class Waits {
  private Waits() {}

  /** A wait that may be repeated. */
  @FunctionalInterface
  public interface Wait {
    void run() throws InterruptedException;
  }

  /** Waits; returns false after an interrupt, which ends the wait. */
  public static boolean run(Wait wait) {
    try {
      wait.run();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits for a latch; returns false after that time, and after an interrupt. */
  public static boolean await(CountDownLatch latch, long time, TimeUnit unit) {
    return run(() -> latch.await(time, unit)) && latch.getCount() == 0;
  }

  /** Waits, once more after each interrupt. */
  public static void uninterrupted(Wait wait) {
    boolean interrupted = false;
    while (true) {
      try {
        wait.run();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
