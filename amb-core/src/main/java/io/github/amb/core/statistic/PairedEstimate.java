package io.github.amb.core.statistic;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A number over seeds.
 *
 * @param band mean and 95 % interval; NaN if no seed has a number
 * @param quartiles of the numbers; NaN if no seed has one
 * @param seeds with a number
 * @param p the p-value of a mean of 0, or of ratios with a mean of 1; NaN of less than two seeds
 */
public record PairedEstimate(Band band, Quartiles quartiles, int seeds, double p) {
  /**
   * The values below which a quarter, half and three quarters are, on the line between two values
   * if need be.
   */
  public record Quartiles(double low, double median, double high) {
    private static final double QUARTER = 0.25;
    private static final double HALF = 0.5;

    /** The quartiles of values, which are not modified; NaN if there are none. */
    public static Quartiles of(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return new Quartiles(at(sorted, QUARTER), at(sorted, HALF), at(sorted, 1 - QUARTER));
    }

    private static double at(double[] sorted, double share) {
      if (sorted.length == 0) {
        return Double.NaN;
      }
      double place = share * (sorted.length - 1);
      int below = (int) place;
      double next = sorted[Math.min(below + 1, sorted.length - 1)];
      return sorted[below] + (place - below) * (next - sorted[below]);
    }
  }

  /** The mean of a number for each of some seeds. */
  public static PairedEstimate of(double[] values) {
    Band none = new Band(Double.NaN, Double.NaN, Double.NaN);
    Band band = values.length == 0 ? none : Band.of(values);
    return new PairedEstimate(band, Quartiles.of(values), values.length, band.p(values.length));
  }

  /** The mean of the differences over the seeds with which both have a number. */
  public static PairedEstimate ofDifferences(double[] values, double[] less) {
    return of(paired(values, less).mapToDouble(seed -> values[seed] - less[seed]).toArray());
  }

  /**
   * The ratios over the seeds with which both have a number: their geometric mean, and the interval
   * of the mean logarithm, as a ratio and its inverse then say the same.
   *
   * @param over a number per seed; NaN for none
   * @param under what they are divided by, by the same seeds
   */
  public static PairedEstimate ofRatios(double[] over, double[] under) {
    double[] ratios = paired(over, under).mapToDouble(seed -> over[seed] / under[seed]).toArray();
    Band logs = of(Arrays.stream(ratios).map(Math::log).toArray()).band;
    return new PairedEstimate(
        new Band(Math.exp(logs.mean()), Math.exp(logs.low()), Math.exp(logs.high())),
        Quartiles.of(ratios),
        ratios.length,
        logs.p(ratios.length));
  }

  private static IntStream paired(double[] values, double[] others) {
    return IntStream.range(0, values.length)
        .filter(seed -> Double.isFinite(values[seed]) && Double.isFinite(others[seed]));
  }
}
