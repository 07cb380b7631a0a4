package io.github.amb.runtime.experiment.measure;

import io.github.amb.core.statistic.Band;

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
}
