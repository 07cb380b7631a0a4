package io.github.amb.bench.harness;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A target for a measurement.
 *
 * @param what the quantity, with its unit
 * @param bound the side of the limit that meets the target: at most, or at least
 * @param limit meets the target itself
 * @param measured the measured value
 */
public record Target(String what, String bound, double limit, double measured) {
  private static final String AT_MOST = "at most";

  /** A quantity that should be small. */
  public Target(String what, double limit, double measured) {
    this(what, AT_MOST, limit, measured);
  }

  /** A quantity that should be large. */
  public static Target atLeast(String what, double limit, double measured) {
    return new Target(what, "at least", limit, measured);
  }

  @JsonProperty
  public boolean met() {
    return bound.equals(AT_MOST) ? measured <= limit : measured >= limit;
  }
}
