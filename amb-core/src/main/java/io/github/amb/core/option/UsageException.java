package io.github.amb.core.option;

import java.util.List;
import java.util.Locale;

/**
 * Wrong usage or wrong input. The message says what was expected, what was found, where, and what
 * to do.
 */
public class UsageException extends RuntimeException {
  /** An exception for one problem. */
  public UsageException(String problem) {
    super(problem);
  }

  /**
   * An exception for one problem.
   *
   * @param format of the message, in the root locale
   */
  public UsageException(String format, Object... values) {
    super(String.format(Locale.ROOT, format, values));
  }

  /** An exception for all problems of a configuration, one per line. */
  public UsageException(List<String> problems) {
    super(String.join("\n", problems));
  }

  /**
   * Passes if there are no problems.
   *
   * @throws UsageException with all of them
   */
  public static void expectNone(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }
}
