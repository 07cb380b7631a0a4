package io.github.amb.core.statistic;

import java.util.stream.IntStream;

/**
 * A number over seeds.
 *
 * @param band mean and 95 % interval; NaN if no seed has a number
 * @param seeds with a number
 */
public record PairedEstimate(Band band, int seeds) {
  /** The mean of a number for each of some seeds. */
  public static PairedEstimate of(double[] values) {
    Band none = new Band(Double.NaN, Double.NaN, Double.NaN);
    return new PairedEstimate(values.length == 0 ? none : Band.of(values), values.length);
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
    PairedEstimate logs =
        of(paired(over, under).mapToDouble(seed -> Math.log(over[seed] / under[seed])).toArray());
    return new PairedEstimate(
        new Band(Math.exp(logs.band.mean()), Math.exp(logs.band.low()), Math.exp(logs.band.high())),
        logs.seeds);
  }

  private static IntStream paired(double[] values, double[] others) {
    return IntStream.range(0, values.length)
        .filter(seed -> Double.isFinite(values[seed]) && Double.isFinite(others[seed]));
  }
}
