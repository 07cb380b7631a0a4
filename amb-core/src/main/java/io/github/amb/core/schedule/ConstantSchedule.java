package io.github.amb.core.schedule;

/**
 * A constant learning rate.
 *
 * @param learningRate η
 */
public record ConstantSchedule(double learningRate) implements Schedule {
  @Override
  public double learningRate(long step, double epochs) {
    return learningRate;
  }
}
