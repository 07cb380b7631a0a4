package io.github.amb.core.codec;

import io.github.amb.core.engine.EngineException;

/** A message that is not what a codec would have written. */
public final class MalformedMessageException extends EngineException {
  private static final long serialVersionUID = 1L;

  MalformedMessageException(String message) {
    super(message);
  }

  MalformedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
