package io.github.amb.core.command;

import java.util.List;

/** Bad usage or bad input: what was expected, what was found, where and what to do. */
public class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** One problem. */
  public UsageException(String problem) {
    super(problem);
  }

  /** All problems of a configuration at once, one a line. */
  public UsageException(List<String> problems) {
    super(String.join("\n", problems));
  }
}
