package io.github.amb.core.statistic;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The mean of a value over seeds, and its 95 % confidence interval: mean ± t s / √n, with Student's
 * t of n − 1 degrees of freedom. For two seeds, t is 12.7, so their band is from the smaller to the
 * larger value instead.
 *
 * @param mean mean of the values
 * @param low lower end; the mean for a single value
 * @param high upper end; the mean for a single value
 */
public record Band(double mean, double low, double high) {
  private static final double UPPER = 0.975;
  private static final int FEW = 2;
  private static final Map<Integer, Double> QUANTILES = new ConcurrentHashMap<>();

  /** The band of one or more values, which are not modified. */
  public static Band of(double[] values) {
    double sum = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      sum += value;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    double mean = sum / values.length;
    if (values.length <= FEW || low == high) {
      return new Band(mean, low, high);
    }
    double half = quantile(values.length) * deviation(values, mean) / Math.sqrt(values.length);
    return new Band(mean, mean - half, mean + half);
  }

  /**
   * The two-sided p-value of Student's t test that the values are of a distribution with the mean
   * 0.
   *
   * @param values the number of them
   * @return NaN for less than two
   */
  public double p(int values) {
    if (values < FEW || mean == 0) {
      return values < FEW ? Double.NaN : 1;
    }
    double error = (high - low) / 2 / (values == FEW ? 1 : quantile(values));
    return 2 * TDistribution.of(values - 1).survivalProbability(Math.abs(mean) / error);
  }

  private static double deviation(double[] values, double mean) {
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (values.length - 1));
  }

  /** Student's t for {@code values} values. */
  private static double quantile(int values) {
    return QUANTILES.computeIfAbsent(
        values, n -> TDistribution.of(n - 1).inverseCumulativeProbability(UPPER));
  }
}
