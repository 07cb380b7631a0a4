package io.github.amb.api;

/** Training has failed. The message has the cause in one line. */
public final class TrainingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TrainingException(String message, Throwable cause) {
    super(message, cause);
  }
}
