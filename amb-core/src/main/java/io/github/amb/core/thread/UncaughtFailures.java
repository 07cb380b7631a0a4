package io.github.amb.core.thread;

/**
 * Handles failures that end a thread without an owner. Java only prints them, so other threads
 * might wait forever. Errors are handled in every thread. Exceptions are handled only in threads
 * that run code of this program, as libraries end their threads by exceptions on purpose.
 */
public final class UncaughtFailures implements AutoCloseable {
  private static final String OURS = "io.github.amb.";

  private final Thread.UncaughtExceptionHandler before;

  /**
   * Replaces the current handler of such failures.
   *
   * @param end called on the thread that fails; must end the process
   */
  public UncaughtFailures(Thread.UncaughtExceptionHandler end) {
    before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          failure.printStackTrace();
          if (failure instanceof Error || isOurs(failure)) {
            end.uncaughtException(thread, failure);
          }
        });
  }

  /** Whether the outermost message outside Java's own classes is of this program. */
  private static boolean isOurs(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    for (int i = trace.length - 1; i >= 0; i--) {
      String name = trace[i].getClassName();
      if (!name.startsWith("java.") && !name.startsWith("jdk.")) {
        return name.startsWith(OURS);
      }
    }
    return false;
  }

  /** Restores the previous handler. */
  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }
}
