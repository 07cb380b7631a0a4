package io.github.amb.runtime.command;

import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.nio.file.Path;

/** The limit of open files per process. Java fails in strange ways if it is too low. */
public final class OpenFiles {
  /** The jars alone are some 60. */
  static final int MIN = 100;

  private static final Path LIMITS = Path.of("/proc/self/limits");

  private OpenFiles() {}

  /**
   * Rejects a limit at which not even all classes can be loaded; call it first.
   *
   * @throws UsageException if the limit is too low
   */
  public static void check() {
    long most = most();
    if (most < MIN) {
      throw new UsageException(
          "expected a limit of at least %d open files per process, found %d; raise it, as with ulimit -n 1024",
          MIN, most);
    }
  }

  /** The limit; the greatest number if it is unknown. */
  static long most() {
    return Reading.after("Max open files", LIMITS)
        .map(limits -> limits.split("\\s+")[0])
        .filter(limit -> limit.matches("\\d{1,18}"))
        .map(Long::valueOf)
        .orElse(Long.MAX_VALUE);
  }
}
