package io.github.amb.core.thread;

/** Waits that an interrupt of the waiting thread ends early. */
public final class Waits {
  private Waits() {}

  /** Waits for something. */
  @FunctionalInterface
  public interface Wait {
    void run() throws InterruptedException;
  }

  /** Waits; returns false after an interrupt, of which the thread keeps the flag. */
  public static boolean run(Wait wait) {
    try {
      wait.run();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
