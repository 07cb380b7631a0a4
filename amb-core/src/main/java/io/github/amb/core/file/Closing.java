package io.github.amb.core.file;

import java.io.Closeable;
import java.io.IOException;

/** Ends the use of files and connections. */
public final class Closing {
  private Closing() {}

  /**
   * Closes what nothing depends on any more, so that a failure to close it loses nothing.
   *
   * @param used null if there is nothing to close
   */
  public static void quietly(Closeable used) {
    try {
      if (used != null) {
        used.close();
      }
    } catch (IOException e) {
      // It was broken already.
    }
  }
}
