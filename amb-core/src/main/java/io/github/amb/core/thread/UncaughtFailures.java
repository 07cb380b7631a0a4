package io.github.amb.core.thread;

/**
 * What the process does when a thread ends by a failure that no owner takes, which Java prints and
 * forgets, so that others may wait for the thread for ever. Errors are handled whosever thread it
 * is, exceptions only in threads that run code of this program: libraries end theirs on purpose.
 */
public final class UncaughtFailures implements AutoCloseable {
  private static final String OURS = "io.github.amb.";

  private final Thread.UncaughtExceptionHandler before;

  /**
   * Begins to handle them, in place of whoever did before.
   *
   * @param end called on the thread that ends; expected to end the process
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

  /** Whether the outermost code that is not Java's own is this program's. */
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

  /** Leaves them to whoever handled them before. */
  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }
}
