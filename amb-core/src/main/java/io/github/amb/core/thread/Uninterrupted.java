package io.github.amb.core.thread;

/** Waits without regard to interrupts of the calling thread, which stays interrupted. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** A wait that may be repeated. */
  @FunctionalInterface
  public interface Wait {
    void await() throws InterruptedException;
  }

  /** Waits, once more after each interrupt. */
  public static void await(Wait wait) {
    boolean interrupted = false;
    while (true) {
      try {
        wait.await();
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
