package io.github.amb.runtime.program;

import static io.github.amb.core.file.Printable.printable;

import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.LostRecordsException;
import java.io.UncheckedIOException;

/** Failures in words for people. */
public final class FailureText {
  private FailureText() {}

  /**
   * A failure in one line: its message, its type if the message alone is unclear, and the records
   * that could not be written.
   */
  public static String of(Throwable failure) {
    boolean wraps =
        failure instanceof UncheckedIOException || failure instanceof ExceptionInInitializerError;
    Throwable known = wraps && failure.getCause() != null ? failure.getCause() : failure;
    String message = printable(String.valueOf(known.getMessage())).replace('\n', ' ');
    boolean ours = known.getClass().getName().startsWith("io.github.amb.");
    String typed = known.getClass().getSimpleName() + ": " + message;
    StringBuilder text = new StringBuilder(ours ? message : FileFailure.of(known).orElse(typed));
    text.append(Remedy.of(failure));
    for (Throwable besides : failure.getSuppressed()) {
      if (besides instanceof LostRecordsException) {
        text.append("; ").append(besides.getMessage());
      }
    }
    return text.toString();
  }

  /** A failure that has ended a thread, in one line with the thread's name. */
  public static String of(Thread thread, Throwable failure) {
    return "thread " + thread.getName() + ": " + of(failure);
  }
}
