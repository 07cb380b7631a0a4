package io.github.amb.core.command;

import java.util.List;

/**
 * Wrong usage or wrong input. The message says what was expected, what was found, where, and what
 * to do.
 */
public class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception for one problem. */
  public UsageException(String problem) {
    super(problem);
  }

  /**
   * An exception for one problem.
   *
   * @param format of the message, as of {@link String#formatted}
   */
  public UsageException(String format, Object... values) {
    super(format.formatted(values));
  }

  /** An exception for all problems of a configuration, one per line. */
  public UsageException(List<String> problems) {
    super(String.join("\n", problems));
  }
}
