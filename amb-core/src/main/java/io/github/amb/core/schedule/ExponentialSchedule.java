package io.github.amb.core.schedule;

/**
 * Exponential decay over steps: {@code η rate^(step / decaySteps)}.
 *
 * @param learningRate η, at step 0
 * @param decaySteps updates after which the learning rate has been multiplied by {@code rate} once
 * @param rate factor, positive
 * @param staircase whether the exponent is rounded down to a whole number
 */
public record ExponentialSchedule(
    double learningRate, double decaySteps, double rate, boolean staircase) implements Schedule {
  /**
   * @throws IllegalArgumentException if {@code decaySteps} or {@code rate} is not positive
   */
  public ExponentialSchedule {
    if (!(decaySteps > 0 && rate > 0)) {
      throw new IllegalArgumentException(
          "exponential schedule: expected positive decay steps and rate, found %s and %s"
              .formatted(decaySteps, rate));
    }
  }

  @Override
  public double learningRate(long step, double epochs) {
    double decays = step / decaySteps;
    return learningRate * Math.pow(rate, staircase ? Math.floor(decays) : decays);
  }
}
