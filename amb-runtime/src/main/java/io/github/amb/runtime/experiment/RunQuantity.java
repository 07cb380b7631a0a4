package io.github.amb.runtime.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured of a run, between two of its steps. */
public enum RunQuantity {
  TIME("s", Direction.LESS),
  STEPS("", Direction.LESS),
  EXAMPLES("", Direction.LESS),
  BYTES("B", Direction.LESS),
  BYTES_UP("B", Direction.LESS),
  BYTES_DOWN("B", Direction.LESS),
  SECONDS_PER_STEP("s", Direction.LESS),
  EXAMPLES_PER_SECOND("1/s", Direction.MORE),
  BYTES_PER_SECOND("B/s", Direction.LESS),
  ACCURACY("", Direction.MORE),
  BEST_ACCURACY("", Direction.MORE),
  LOSS("", Direction.LESS),
  BEST_LOSS("", Direction.LESS);

  /** Which of two values is better. */
  private enum Direction {
    LESS,
    MORE
  }

  private final String unit;
  private final Direction better;

  RunQuantity(String unit, Direction better) {
    this.unit = unit;
    this.better = better;
  }

  /** Its unit; empty for a pure number. */
  public String unit() {
    return unit;
  }

  /** Whether a larger value is better. */
  public boolean moreIsBetter() {
    return better == Direction.MORE;
  }

  /** Whether it only grows during a run, so that it can be read at a target. */
  boolean grows() {
    return ordinal() <= BYTES_DOWN.ordinal();
  }

  /** As a file has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(RunQuantity::toString).toList();
  }

  /**
   * @param name one of {@link #names}
   */
  public static RunQuantity named(String name) {
    return Arrays.stream(values()).filter(q -> q.toString().equals(name)).findFirst().orElseThrow();
  }
}
