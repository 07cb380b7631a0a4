package io.github.amb.core.engine;

/** A rank has left or can no longer be reached. The run may continue without it. */
public class LostException extends EngineException {
  public LostException(String message) {
    super(message);
  }

  public LostException(String message, Throwable cause) {
    super(message, cause);
  }
}
