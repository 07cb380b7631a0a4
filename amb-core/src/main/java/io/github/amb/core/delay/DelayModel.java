package io.github.amb.core.delay;

import org.apache.commons.rng.UniformRandomProvider;

/** A distribution of induced straggler delays. */
@FunctionalInterface
public interface DelayModel {
  /** No delay. */
  DelayModel NONE = random -> 0;

  /**
   * Draws one delay.
   *
   * @param random source of randomness; advanced
   * @return seconds, finite and not negative
   */
  double sample(UniformRandomProvider random);

  /**
   * This distribution with every delay multiplied by {@code factor}.
   *
   * @param factor finite, not negative
   * @throws IllegalArgumentException if {@code factor} is negative or not finite
   */
  default DelayModel scaled(double factor) {
    if (!(factor >= 0 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "delay factor: expected a finite number of at least 0, found " + factor);
    }
    return random -> factor * sample(random);
  }
}
