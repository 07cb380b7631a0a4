package io.github.amb.core.schedule;

/**
 * The same learning rate at every step.
 *
 * @param learningRate η
 */
public record ConstantSchedule(double learningRate) implements Schedule {
  @Override
  public double learningRate(long step, double epochs) {
    return learningRate;
  }
}
