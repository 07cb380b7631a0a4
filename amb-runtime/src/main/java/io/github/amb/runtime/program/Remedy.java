package io.github.amb.runtime.program;

import io.github.amb.models.data.example.MappedFiles;

/** Adds to a failure's message what it does not say: what happened and what to do. */
final class Remedy {
  private static final String TOO_MANY = "Too many open files";
  private static final String FAULT = "unsafe memory access";

  private static final String NO_PROGRAMS = "failed to map segment";

  private Remedy() {}

  /** The addition to a failure's message, in one line; empty if nothing is known. */
  static String of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String remedy = ofOne(cause, String.valueOf(cause.getMessage()));
      if (!remedy.isEmpty()) {
        return remedy;
      }
    }
    return "";
  }

  private static String ofOne(Throwable cause, String message) {
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
