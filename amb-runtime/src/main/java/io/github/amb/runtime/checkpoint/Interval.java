package io.github.amb.runtime.checkpoint;

import io.github.amb.core.option.Decimal;

/**
 * How often something is done: checkpoints, tests.
 *
 * @param countsSteps whether it is in steps, not in seconds
 * @param length steps or seconds between two; infinite if it is done only at the end
 */
public record Interval(boolean countsSteps, double length) {
  /** Only at the end. */
  public static final Interval LAST = new Interval(false, Double.POSITIVE_INFINITY);

  private static final String LAST_NAME = "last";

  /**
   * Reads {@code 60s}, {@code 500} (steps) or {@code last}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static Interval parse(String text) {
    if (text.equals(LAST_NAME)) {
      return LAST;
    }
    if (text.matches("\\d{1,9}") && Long.parseLong(text) > 0) {
      return new Interval(true, Long.parseLong(text));
    }
    if (text.matches("\\d{1,9}(\\.\\d{1,9})?s")) {
      double seconds = Decimal.real(text.substring(0, text.length() - 1));
      if (seconds > 0) {
        return new Interval(false, seconds);
      }
    }
    throw new IllegalArgumentException(text);
  }

  /** Number of steps; 1 if it is in seconds. */
  public int steps() {
    return countsSteps ? (int) length : 1;
  }

  /** The passed part of the interval, in steps or seconds. */
  double passed(long sinceSteps, double sinceSeconds) {
    return countsSteps ? sinceSteps : sinceSeconds;
  }

  /** Whether it is due at the end of a step, if it was never done before. */
  public boolean isOver(long step, double time) {
    return passed(step, time) >= length;
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return Double.isInfinite(length)
        ? LAST_NAME
        : java.math.BigDecimal.valueOf(length).stripTrailingZeros().toPlainString()
            + (countsSteps ? "" : "s");
  }
}
