package io.github.amb.core.codec;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.gradient.Finite;

/** A message that is not what a codec would have written. */
public final class MalformedMessageException extends EngineException {
  private static final long serialVersionUID = 1L;

  MalformedMessageException(String message) {
    super(message);
  }

  MalformedMessageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Checks what has been decoded.
   *
   * @throws MalformedMessageException if an entry is not finite
   */
  static void expectFinite(float[] values, int from, int count) {
    int bad = Finite.firstBad(values, from, from + count);
    if (bad >= 0) {
      throw new MalformedMessageException(
          "entry %d: expected a finite number, found %s".formatted(bad - from, values[bad]));
    }
  }
}
