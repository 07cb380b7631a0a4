package io.github.amb.runtime.launch;

import io.github.amb.core.thread.Daemon;
import java.io.IOException;

/**
 * Ends this process when its standard input, a pipe from whoever launched it, reaches its end,
 * which it does however the launcher dies. What comes through the pipe does not matter.
 */
public final class ParentWatch {
  /** System property by which the launcher says that standard input is its pipe. */
  static final String PROPERTY = "amb.parent.watch";

  private ParentWatch() {}

  /** Whether our launcher started this JVM. */
  public static boolean isLaunched() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Starts to watch if our launcher started this JVM; else does nothing. */
  public static void start() {
    start(() -> {});
  }

  /**
   * The same.
   *
   * @param last what is done before this process ends
   */
  static void start(Runnable last) {
    if (isLaunched()) {
      Daemon.start("parent-watch", () -> watch(last));
    }
  }

  private static void watch(Runnable last) {
    try {
      while (System.in.read() >= 0) {
        // Nobody reads what is said here.
      }
    } catch (IOException e) {
      // The pipe has ended, too.
    }
    last.run();
    Runtime.getRuntime().halt(1);
  }
}
