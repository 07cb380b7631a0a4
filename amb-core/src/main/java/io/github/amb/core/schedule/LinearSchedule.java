package io.github.amb.core.schedule;

/**
 * A straight line over steps: {@code η + (end − η) min(1, step / lastStep)}.
 *
 * @param learningRate η, at step 0
 * @param end learning rate at {@code lastStep} and after it
 * @param lastStep number of updates of the run, positive
 */
public record LinearSchedule(double learningRate, double end, long lastStep) implements Schedule {
  /**
   * @throws IllegalArgumentException if {@code lastStep} is not positive
   */
  public LinearSchedule {
    if (lastStep <= 0) {
      throw new IllegalArgumentException(
          "linear schedule: expected a positive last step, found " + lastStep);
    }
  }

  @Override
  public double learningRate(long step, double epochs) {
    return learningRate + (end - learningRate) * Math.min(1, (double) step / lastStep);
  }
}
