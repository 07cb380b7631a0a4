package io.github.amb.runtime.experiment;

import io.github.amb.core.statistic.PairedEstimate;
import java.util.List;
import java.util.Locale;

/**
 * Compares the points of an axis with one of them, by one measure, seed by seed.
 *
 * @param name as the file has it
 * @param measure what is compared
 * @param axis whose points are compared
 * @param baseline the point that the others are compared with
 * @param best an axis of which only the best point of each variant counts; empty for none
 * @param chosenWith seeds that the best point is chosen with, and that are not compared; none to
 *     choose with those that are
 * @param kind how two numbers are compared
 */
public record PairedComparison(
    String name,
    RunMeasure measure,
    String axis,
    String baseline,
    String best,
    List<Long> chosenWith,
    Kind kind) {

  /** How two numbers are compared. */
  public enum Kind {
    /** Baseline by variant: how many times less the variant needs. */
    SPEED_UP,
    /** Variant by baseline. */
    RATIO,
    /** Variant less baseline. */
    DIFFERENCE;

    /** As a file has it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * The comparison over the seeds with which both have a number.
   *
   * @param variant a number per seed; NaN for none
   * @param other the baseline's, by the same seeds
   */
  public PairedEstimate of(double[] variant, double[] other) {
    return switch (kind) {
      case SPEED_UP -> PairedEstimate.ofRatios(other, variant);
      case RATIO -> PairedEstimate.ofRatios(variant, other);
      case DIFFERENCE -> PairedEstimate.ofDifferences(variant, other);
    };
  }
}
