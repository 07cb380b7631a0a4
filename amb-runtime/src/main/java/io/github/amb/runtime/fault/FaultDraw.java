package io.github.amb.runtime.fault;

import io.github.amb.core.option.Decimal;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Reads rank and step of a fault; draws those that are left open.
 *
 * @param random source of random numbers
 * @param workers number of workers, among which {@code any} is drawn
 */
record FaultDraw(UniformRandomProvider random, int workers) {
  private static final String ANY = "any";

  /**
   * A rank such as {@code 2}, or {@code any}.
   *
   * @throws NumberFormatException if it is neither, or null
   */
  int rank(String text) {
    return ANY.equals(text) && workers > 0 ? 1 + random.nextInt(workers) : Decimal.integer(text);
  }

  /**
   * A step such as {@code 50}, or one from {@code 10-200}, both included.
   *
   * @throws NumberFormatException if it is neither, or null
   */
  long step(String text) {
    int dash = text == null ? -1 : text.indexOf('-', 1);
    if (dash < 0) {
      return Decimal.whole(text);
    }
    long first = Decimal.whole(text.substring(0, dash));
    long last = Decimal.whole(text.substring(dash + 1));
    if (first < 1 || last < first || last == Long.MAX_VALUE) {
      throw new NumberFormatException(text);
    }
    return random.nextLong(first, last + 1);
  }
}
