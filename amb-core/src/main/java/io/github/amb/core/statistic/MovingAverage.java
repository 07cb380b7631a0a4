package io.github.amb.core.statistic;

/**
 * Exponentially weighted moving average with weights that sum to one, pandas' {@code
 * ewm(span).mean()}: y̅_t = Σ_i (1−α)^i y_{t−i} / Σ_i (1−α)^i with α = 2 / (span + 1).
 */
public final class MovingAverage {
  private final double decay;
  private double sum;
  private double weight;

  /**
   * @param span span in values; with 1 or less, the average is the last value
   */
  public MovingAverage(double span) {
    decay = span <= 1 ? 0 : 1 - 2 / (span + 1);
  }

  /** Adds the next value and returns the average. */
  public double next(double value) {
    sum = decay * sum + value;
    weight = decay * weight + 1;
    return sum / weight;
  }
}
