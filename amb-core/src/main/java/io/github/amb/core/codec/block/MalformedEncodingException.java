package io.github.amb.core.codec.block;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.gradient.Finite;

/** A received message is not one that the codec could have written. */
public final class MalformedEncodingException extends EngineException {
  public MalformedEncodingException(String message) {
    super(message);
  }

  public MalformedEncodingException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Checks decoded entries.
   *
   * @param from index of the block's first entry
   * @param count number of entries of the block
   * @throws MalformedEncodingException if an entry is not finite
   */
  public static void expectFinite(float[] values, int from, int count) {
    int bad = Finite.firstBad(values, from, from + count);
    if (bad >= 0) {
      throw new MalformedEncodingException(
          "entry %d: expected a finite number, found %s".formatted(bad - from, values[bad]));
    }
  }
}
