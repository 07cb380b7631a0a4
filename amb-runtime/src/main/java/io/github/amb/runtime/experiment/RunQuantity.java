package io.github.amb.runtime.experiment;

import java.util.Locale;

/** What is measured of a run, between two of its steps. */
public enum RunQuantity {
  TIME("s"),
  STEPS(""),
  EXAMPLES(""),
  BYTES("B"),
  BYTES_UP("B"),
  BYTES_DOWN("B"),
  SECONDS_PER_STEP("s"),
  EXAMPLES_PER_SECOND("1/s"),
  BYTES_PER_SECOND("B/s"),
  ACCURACY(""),
  BEST_ACCURACY(""),
  LOSS(""),
  BEST_LOSS("");

  private final String unit;

  RunQuantity(String unit) {
    this.unit = unit;
  }

  /** Its unit; empty for a pure number. */
  public String unit() {
    return unit;
  }

  /** Whether a larger value is better. */
  public boolean moreIsBetter() {
    return this == EXAMPLES_PER_SECOND || this == ACCURACY || this == BEST_ACCURACY;
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
}
