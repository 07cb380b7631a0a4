package io.github.amb.core.thread;

import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** Starts daemon threads whose failures are handled. */
public final class Daemon {
  private Daemon() {}

  /**
   * Starts a thread that belongs to an owner.
   *
   * @param failed receives, on that thread, whatever the task throws, including errors such as
   *     {@link OutOfMemoryError}; the owner must end everything that waits for the task
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
   * Starts a thread that belongs to the process. Whatever the task throws goes to {@link
   * Thread#getDefaultUncaughtExceptionHandler}, which ends the program with that cause.
   */
  public static Thread start(String name, Runnable task) {
    Thread thread = factory(name).newThread(task);
    thread.start();
    return thread;
  }

  /** Makes threads of one name, for an executor. */
  public static ThreadFactory factory(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
