package io.github.amb.runtime.launch;

import java.io.IOException;

/**
 * Ends a rank whose launcher is gone: its standard input is a pipe from the launcher, which reaches
 * its end however the launcher dies.
 */
public final class ParentWatch {
  /** System property by which the launcher says that standard input is its pipe. */
  static final String PROPERTY = "amb.parent.watch";

  private ParentWatch() {}

  /** Whether the launcher started this JVM. */
  public static boolean isLaunched() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Starts to watch if the launcher started this JVM; else does nothing. */
  public static void start() {
    if (!isLaunched()) {
      return;
    }
    Thread thread = new Thread(ParentWatch::watch, "parent-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch() {
    try {
      while (System.in.read() >= 0) {
        continue;
      }
    } catch (IOException e) {
      // As good as the end of the pipe.
    }
    Runtime.getRuntime().halt(1);
  }
}
