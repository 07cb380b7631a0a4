package io.github.amb.bench.harness;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * A target for a measurement.
 *
 * @param what the quantity, with its unit
 * @param bound the side of the limit that meets the target
 * @param limit meets the target itself
 * @param measured the measured value
 */
public record Target(String what, Bound bound, double limit, double measured) {
  /** The side of a limit that meets a target. */
  public enum Bound {
    AT_MOST,
    AT_LEAST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** A quantity that should be small. */
  public Target(String what, double limit, double measured) {
    this(what, Bound.AT_MOST, limit, measured);
  }

  /** A quantity that should be large. */
  public static Target atLeast(String what, double limit, double measured) {
    return new Target(what, Bound.AT_LEAST, limit, measured);
  }

  @JsonProperty
  public boolean met() {
    return bound == Bound.AT_MOST ? measured <= limit : measured >= limit;
  }
}
