package io.github.amb.core.schedule;

/**
 * A straight line to a learning rate, and then another schedule, whose steps count from there:
 * {@code η (factor + (1 − factor) step / steps)} for {@code step < steps}.
 *
 * <p>As PyTorch's {@code LinearLR}, followed by the other schedule in a {@code SequentialLR}.
 * Epochs count from the start of the run.
 *
 * @param learningRate η, reached after {@code steps} updates
 * @param steps number of updates of the warm-up, positive
 * @param factor share of η in step 0, from 0 to 1
 * @param then what follows
 */
public record WarmUpSchedule(double learningRate, long steps, double factor, Schedule then)
    implements Schedule {
  /**
   * @throws IllegalArgumentException if {@code steps} is not positive or {@code factor} not a share
   */
  public WarmUpSchedule {
    if (steps <= 0 || !(factor >= 0 && factor <= 1)) {
      throw new IllegalArgumentException(
          "warm-up: expected positive steps and a factor from 0 to 1, found %s and %s"
              .formatted(steps, factor));
    }
  }

  @Override
  public double learningRate(long step, double epochs) {
    return step < steps
        ? learningRate * (factor + (1 - factor) * step / steps)
        : then.learningRate(step - steps, epochs);
  }
}
