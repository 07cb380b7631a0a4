package io.github.amb.core.schedule;

import java.util.List;

/**
 * Multiplies the learning rate by a factor as epochs pass: {@code η fraction^k}. If {@code every}
 * has one number N, k is the number of times that N epochs have passed. If it has several, k is how
 * many of them have been reached.
 *
 * @param learningRate η, at the start
 * @param every numbers of epochs, positive; at least one
 * @param fraction factor, positive
 */
public record EpochSchedule(double learningRate, List<Double> every, double fraction)
    implements Schedule {
  /**
   * @throws IllegalArgumentException if {@code every} is empty, or a number in it or {@code
   *     fraction} is not positive
   */
  public EpochSchedule {
    every = List.copyOf(every);
    if (every.isEmpty() || !every.stream().allMatch(epochs -> epochs > 0) || !(fraction > 0)) {
      throw new IllegalArgumentException(
          "epochs schedule: expected positive epochs and fraction, found %s and %s"
              .formatted(every, fraction));
    }
  }

  @Override
  public double learningRate(long step, double epochs) {
    return learningRate * Math.pow(fraction, reductions(epochs));
  }

  private double reductions(double epochs) {
    if (every.size() == 1) {
      return Math.floor(epochs / every.get(0));
    }
    int reached = 0;
    for (int i = 0; i < every.size(); i++) {
      if (epochs >= every.get(i)) {
        reached++;
      }
    }
    return reached;
  }
}
