package io.github.amb.core.engine;

/** A failure of the engine: a failed rank, a missed deadline, a malformed message. */
public class EngineException extends RuntimeException {
  public EngineException(String message) {
    super(message);
  }

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
