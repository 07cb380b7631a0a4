package io.github.amb.core.engine;

/** A failure of the engine: a failed rank, a missed deadline, a malformed message. */
public class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EngineException(String message) {
    super(message);
  }

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
