package io.github.amb.runtime.command;

import static io.github.amb.core.file.Printable.printable;

import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.LostRecordsException;
import io.github.amb.models.data.example.MappedFiles;
import java.io.UncheckedIOException;

/** Failures in words for people. */
public final class FailureText {
  private static final String TOO_MANY = "Too many open files";
  private static final String FAULT = "unsafe memory access";

  private static final String NO_PROGRAMS = "failed to map segment";

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
    text.append(remedy(failure));
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

  /**
   * What a failure's message does not say: what happened and what to do; empty if nothing is known.
   */
  private static String remedy(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String found = remedy(cause, String.valueOf(cause.getMessage()));
      if (!found.isEmpty()) {
        return found;
      }
    }
    return "";
  }

  private static String remedy(Throwable cause, String message) {
    if (cause instanceof OutOfMemoryError) {
      return "; give Java more, as with AMB_OPTIONS=-Xmx4g";
    }
    if (message.contains(TOO_MANY)) {
      return "; the limit is %s open files per process: raise it, as with ulimit -n %s"
          .formatted(OpenFiles.most(), Math.max(1024, 4 * OpenFiles.most()));
    }
    if (cause instanceof InternalError && message.contains(FAULT)) {
      String shortened = MappedFiles.shortened();
      return "; "
          + (shortened.isEmpty()
              ? "a memory-mapped file can no longer be read: check the disks of the data, of the cache and of /dev/shm"
              : shortened + "; restore the file, and do not change it while a run reads it");
    }
    if (cause instanceof UnsatisfiedLinkError && message.contains(NO_PROGRAMS)) {
      return "; no directory for native code is on a file system that runs programs: set"
          + " AMB_CACHE_DIR to one that is not mounted noexec";
    }
    return "";
  }
}
