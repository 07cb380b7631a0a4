package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.View;
import java.util.function.ToDoubleFunction;
import org.jfree.data.Range;

/**
 * What the axes of a panel span.
 *
 * @param x the x axis
 * @param y the y axis
 */
record AxisRanges(Range x, Range y) {
  private static final double MARGIN = 0.04;

  static AxisRanges of(Content content, View view) {
    boolean histogram = content.panel().isHistogram();
    Range x = extent(content, Point::x, Point::x);
    Range y = extent(content, Point::low, Point::high);
    if (histogram) {
      return new AxisRanges(
          Range.expand(x, 0.02, 0.02), new Range(0, y.getUpperBound() * (1 + MARGIN)));
    }
    Range shown = view.yLog() ? logarithmic(y, view) : linear(y, content, view);
    return new AxisRanges(fromZero(x, view), shown);
  }

  private static Range extent(
      Content content, ToDoubleFunction<Point> low, ToDoubleFunction<Point> high) {
    double lower = content.points().mapToDouble(low).min().orElseThrow();
    double upper = content.points().mapToDouble(high).max().orElseThrow();
    return new Range(lower, upper);
  }

  /** Time and steps start at zero, unless the data starts far from it. */
  private static Range fromZero(Range x, View view) {
    double upper = view.xMax().orElse(x.getUpperBound());
    boolean near = x.getLowerBound() >= 0 && x.getLowerBound() <= 0.3 * upper;
    double lower = near ? 0 : x.getLowerBound();
    return lower < upper ? new Range(lower, upper) : new Range(upper - 1, upper + 1);
  }

  private static Range linear(Range y, Content content, View view) {
    double length = y.getLength() > 0 ? y.getLength() : Math.max(1e-3, 0.2 * y.getUpperBound());
    double upper = view.yMax().orElse(y.getUpperBound() + MARGIN * length);
    double lower = y.getLowerBound() - MARGIN * length;
    boolean crossesZero = y.getLowerBound() >= 0 && lower < 0;
    if (crossesZero || content.panel().startsAtZero() || lower >= upper) {
      lower = Math.min(0, y.getLowerBound());
    }
    return new Range(lower, upper);
  }

  private static Range logarithmic(Range y, View view) {
    double upper = view.yMax().orElse(y.getUpperBound() * 1.15);
    double lower = y.getLowerBound() / 1.15;
    return new Range(lower < upper ? lower : upper / 10, upper);
  }
}
