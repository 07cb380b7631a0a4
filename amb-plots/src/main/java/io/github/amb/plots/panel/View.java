package io.github.amb.plots.panel;

import java.util.OptionalDouble;

/**
 * What part of the data is drawn, and how.
 *
 * @param xMax upper end of curves' x axes; empty for all the data
 * @param yMax upper end of curves' y axes; empty for all the data
 * @param yLog whether curves' y axes are logarithmic; values that are not positive are left out
 * @param filterSpan span of the {@link Ewma} over losses and accuracies, in points; at most 1 for
 *     none
 */
public record View(OptionalDouble xMax, OptionalDouble yMax, boolean yLog, double filterSpan) {
  /** All the data as it is. */
  public static final View PLAIN =
      new View(OptionalDouble.empty(), OptionalDouble.empty(), false, 0);
}
