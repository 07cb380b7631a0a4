package io.github.amb.bench.harness;

import java.util.Locale;

/**
 * What a measurement should be.
 *
 * @param what the quantity, with its unit
 * @param bound which side of the limit is good
 * @param limit still good
 * @param measured the value found
 */
public record Target(String what, Bound bound, double limit, double measured) {
  /** Which side of a limit is good. */
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

  public boolean met() {
    return bound == Bound.AT_MOST ? measured <= limit : measured >= limit;
  }
}
