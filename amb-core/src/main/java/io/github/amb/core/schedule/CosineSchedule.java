package io.github.amb.core.schedule;

/**
 * Half a period of a cosine over steps: {@code end + (η − end) (1 + cos(π min(1, step / lastStep)))
 * / 2}.
 *
 * <p>I. Loshchilov and F. Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", ICLR
 * 2017, equation 5, without restarts, as PyTorch's {@code CosineAnnealingLR} has it.
 *
 * @param learningRate η, at step 0
 * @param end learning rate at {@code lastStep} and after it, not negative
 * @param lastStep number of updates of the run, positive
 */
public record CosineSchedule(double learningRate, double end, long lastStep) implements Schedule {
  /**
   * @throws IllegalArgumentException if {@code end} is negative or {@code lastStep} not positive
   */
  public CosineSchedule {
    if (!(end >= 0) || lastStep <= 0) {
      throw new IllegalArgumentException(
          "cosine schedule: expected an end of at least 0 and a positive last step, found %s and %s"
              .formatted(end, lastStep));
    }
  }

  @Override
  public double learningRate(long step, double epochs) {
    double share = Math.min(1, (double) step / lastStep);
    return end + (learningRate - end) * (1 + Math.cos(Math.PI * share)) / 2;
  }
}
