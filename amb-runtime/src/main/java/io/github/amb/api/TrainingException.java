package io.github.amb.api;

/** Training has failed. The message has the cause in one line. */
public final class TrainingException extends RuntimeException {
  TrainingException(String message, Throwable cause) {
    super(message, cause);
  }
}
