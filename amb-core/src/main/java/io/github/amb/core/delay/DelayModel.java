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
}
