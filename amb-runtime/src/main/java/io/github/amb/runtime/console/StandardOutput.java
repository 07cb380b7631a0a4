package io.github.amb.runtime.console;

import io.github.amb.core.record.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * Finds out whether everything printed on standard output was written, which {@link System#out}
 * never reports.
 */
public final class StandardOutput {
  private static final String BROKEN_PIPE = "Broken pipe";

  private StandardOutput() {}

  /**
   * Flushes standard output; returns the cause if a write has failed, or an empty text. The first
   * call that finds a failure writes one more line end, as only a failing write has a cause.
   */
  public static String loss() {
    return System.out.checkError() ? cause() : "";
  }

  private static String cause() {
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    try {
      out.write('\n');
      return "an earlier write failed";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * A command's exit code if writing to standard output has failed.
   *
   * @param code its exit code otherwise; stays if it is not 0
   * @param cause cause of the failure; empty if there is none
   */
  public static int exitCode(int code, String cause) {
    if (code != 0 || cause.isEmpty()) {
      return code;
    }
    return cause.equals(BROKEN_PIPE) ? ExitCode.NOBODY_READS : ExitCode.FAILED;
  }

  /** The message for the user; empty if no write failed, or the reader has gone. */
  public static String message(String cause) {
    return cause.isEmpty() || cause.equals(BROKEN_PIPE)
        ? ""
        : "cannot write to standard output: " + cause;
  }
}
