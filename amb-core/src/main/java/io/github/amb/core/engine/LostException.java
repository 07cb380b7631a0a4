package io.github.amb.core.engine;

/** A rank cannot be reached any more, or has left; the run may go on without it. */
public class LostException extends EngineException {
  private static final long serialVersionUID = 1L;

  public LostException(String message) {
    super(message);
  }

  public LostException(String message, Throwable cause) {
    super(message, cause);
  }
}
