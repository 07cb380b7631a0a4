package io.github.amb.runtime.checkpoint;

import java.io.IOException;

/**
 * A checkpoint is not what it must be, and reading it again will not help: something is missing or
 * differs. Other {@link IOException}s say that a file could not be read.
 */
public final class DamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the file, what was expected and what was found
   */
  DamagedException(String message) {
    super(message);
  }

  DamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
