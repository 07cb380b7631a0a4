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
  /** All data, unchanged. */
  public static final View PLAIN =
      new View(
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          false,
          false,
          0,
          OptionalDouble.empty());

  /** A copy of this view up to an x, a y, or both. */
  public View upTo(OptionalDouble x, OptionalDouble y) {
    return new View(x, y, xMin, yMin, yLog, histYLog, filterSpan, binWidth);
  }

  /** This view from an x, a y, or both. */
  public View from(OptionalDouble x, OptionalDouble y) {
    return new View(xMax, yMax, x, y, yLog, histYLog, filterSpan, binWidth);
  }
}
