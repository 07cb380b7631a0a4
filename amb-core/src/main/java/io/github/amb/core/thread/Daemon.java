package io.github.amb.core.thread;

import java.util.function.Consumer;

/** Starts daemon threads, none of which ends unnoticed. */
public final class Daemon {
  private Daemon() {}

  /**
   * Starts a thread that belongs to an owner.
   *
   * @param failed receives, on that thread, whatever the task throws, errors such as {@link
   *     OutOfMemoryError} included; the owner must end what waits for the task
   */
  public static Thread start(String name, Runnable task, Consumer<? super Throwable> failed) {
    return start(
        name,
        () -> {
          try {
            task.run();
          } catch (Throwable e) {
            failed.accept(e);
          }
        });
  }

  /**
   * Starts a thread whose owner is the process: whatever the task throws goes to {@link
   * Thread#getDefaultUncaughtExceptionHandler}, by which the program ends with that cause.
   */
  public static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Waits until a thread has ended, also while the calling thread is interrupted. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
