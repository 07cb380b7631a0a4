package io.github.amb.runtime.checkpoint;

import java.io.IOException;

/**
 * A checkpoint is damaged: something is missing or differs, and reading it again will not help.
 * Another {@link IOException} means that a file could not be read now.
 */
public final class DamagedException extends IOException {
  /**
   * @param message the file, what was expected and what was found
   */
  DamagedException(String message) {
    super(message);
  }

  DamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
