package io.github.amb.runtime.launch;

import io.github.amb.core.thread.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Ends this process at the end of its standard input, a pipe from the launcher, which closes
 * however the launcher ends. But for a first line to a rank, the content of the pipe is ignored.
 */
public final class ParentWatch {
  /** System property by which the launcher marks standard input as its pipe. */
  public static final String PROPERTY = "amb.parent.watch";

  private ParentWatch() {}

  /** Whether our launcher started this JVM. */
  public static boolean isLaunched() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** The first line from the launcher, read before the watch starts; null if it has ended. */
  static String line() {
    try {
      return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
          .readLine();
    } catch (IOException e) {
      return null; // The watch finds that, too.
    }
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
