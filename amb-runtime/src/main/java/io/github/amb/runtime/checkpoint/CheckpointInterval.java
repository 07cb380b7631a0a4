package io.github.amb.runtime.checkpoint;

/**
 * How often checkpoints are made.
 *
 * @param steps updates from one to the next; 0 if time counts
 * @param seconds from one to the next; infinite if steps count, or for none but the last
 */
public record CheckpointInterval(long steps, double seconds) {
  /** None but the last one. */
  public static final CheckpointInterval LAST = new CheckpointInterval(0, Double.POSITIVE_INFINITY);

  private static final String LAST_NAME = "last";

  /**
   * Reads {@code 60s}, {@code 500} (steps) or {@code last}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static CheckpointInterval parse(String text) {
    if (text.equals(LAST_NAME)) {
      return LAST;
    }
    if (text.matches("\\d{1,9}") && Long.parseLong(text) > 0) {
      return new CheckpointInterval(Long.parseLong(text), Double.POSITIVE_INFINITY);
    }
    if (text.matches("\\d{1,9}(\\.\\d{1,9})?s")) {
      double seconds = Double.parseDouble(text.substring(0, text.length() - 1));
      if (seconds > 0) {
        return new CheckpointInterval(0, seconds);
      }
    }
    throw new IllegalArgumentException(text);
  }

  /** Whether steps count, not time. */
  boolean countsSteps() {
    return steps > 0;
  }

  /** Steps or seconds from one to the next. */
  double length() {
    return countsSteps() ? steps : seconds;
  }

  /** Whichever of the two counts. */
  double passed(long sinceSteps, double sinceSeconds) {
    return countsSteps() ? sinceSteps : sinceSeconds;
  }

  /** Whether a checkpoint is due at the end of a step, if there was none before. */
  public boolean isOver(long step, double time) {
    return passed(step, time) >= length();
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return countsSteps()
        ? Long.toString(steps)
        : Double.isInfinite(seconds)
            ? LAST_NAME
            : java.math.BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString() + "s";
  }
}
