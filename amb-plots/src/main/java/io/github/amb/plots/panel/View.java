package io.github.amb.plots.panel;

import java.util.OptionalDouble;

/**
 * The part of the data that is drawn, and how.
 *
 * @param xMax upper end of curves' x axes; empty for all the data
 * @param yMax upper end of curves' y axes; empty for all the data
 * @param xMin lower end of curves' x axes; empty for all the data
 * @param yMin lower end of curves' y axes; empty for all the data
 * @param yLog whether curves' y axes are logarithmic; values that are not positive are left out
 * @param histYLog whether histograms' y axes are logarithmic
 * @param filterSpan span of the moving average of losses and accuracies, in points; at most 1 for
 *     none
 * @param binWidth width of the bins of histograms of times, in seconds; empty for a round one that
 *     makes about forty bins
 */
public record View(
    OptionalDouble xMax,
    OptionalDouble yMax,
    OptionalDouble xMin,
    OptionalDouble yMin,
    boolean yLog,
    boolean histYLog,
    double filterSpan,
    OptionalDouble binWidth) {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  /** All data, unchanged. */
  public static final View PLAIN = within(NONE, NONE, NONE, NONE);

  /** The part between these ends, otherwise unchanged. */
  public static View within(
      OptionalDouble xMax, OptionalDouble yMax, OptionalDouble xMin, OptionalDouble yMin) {
    return new View(xMax, yMax, xMin, yMin, false, false, 0, NONE);
  }
}
