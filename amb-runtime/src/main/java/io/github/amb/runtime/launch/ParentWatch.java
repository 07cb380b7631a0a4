package io.github.amb.runtime.launch;

import io.github.amb.core.thread.Daemon;
import java.io.IOException;

/**
 * Ends this process at the end of its standard input, a pipe from the launcher, which closes
 * however the launcher ends. The content of the pipe is ignored.
 */
public final class ParentWatch {
  /** System property by which the launcher marks standard input as its pipe. */
  public static final String PROPERTY = "amb.parent.watch";

  private ParentWatch() {}

  /** Whether our launcher started this JVM. */
  public static boolean isLaunched() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Starts to watch if our launcher started this JVM; otherwise does nothing. */
  public static void start() {
    start(() -> {});
  }

  /**
   * Starts to watch if our launcher started this JVM; otherwise does nothing.
   *
   * @param last called before this process ends
   */
  static void start(Runnable last) {
    if (isLaunched()) {
      Daemon.start("parent-watch", () -> watch(last));
    }
  }

  private static void watch(Runnable last) {
    try {
      while (System.in.read() >= 0) {
        // Nobody reads this input.
      }
    } catch (IOException e) {
      // The pipe has ended, too.
    }
    last.run();
    Runtime.getRuntime().halt(1);
  }
}
