package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.View;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jfree.data.Range;

/**
 * The ranges of a panel's axes.
 *
 * @param x range of the x axis
 * @param y range of the y axis
 */
record AxisRanges(Range x, Range y) {
  private static final double MARGIN = 0.04;

  /** Room for the values above bars, in lengths of the longest bar. */
  private static final double VALUES = 0.08;

  /** Maximum length of a band beyond the lines, in lengths of the lines' range. */
  private static final double BAND = 0.5;

  static AxisRanges of(Content content, View view) {
    Axes frame = content.frame();
    return new AxisRanges(
        frame.xNames().isEmpty() ? x(content, view) : names(frame.xNames().size()),
        frame.yNames().isEmpty() ? y(content, view) : names(frame.yNames().size()));
  }

  /** Whether the y axis is logarithmic, by the panel's definition or the user's option. */
  static boolean isYLogarithmic(Content content, View view) {
    return switch (content.frame().mark()) {
      case LINE, DOTS -> view.yLog() || content.frame().yScale().isLogarithmic();
      case OUTLINE -> view.histYLog();
      case BARS, SPANS -> false;
    };
  }

  private static Range names(int count) {
    return new Range(-0.5, count - 0.5);
  }

  private static Range x(Content content, View view) {
    Range x = extent(content, Point::x, Point::end);
    if (content.frame().mark() == Mark.OUTLINE) {
      boolean singleBin = content.points().mapToDouble(Point::x).distinct().count() == 2;
      double beside = singleBin ? 2 : 0.02;
      Range wide = Range.expand(x, beside, beside);
      return singleBin
          ? new Range(
              Math.max(wide.getLowerBound(), Math.min(0, x.getLowerBound())), wide.getUpperBound())
          : wide;
    }
    boolean logarithmic = content.frame().xScale().isLogarithmic();
    boolean named = !content.frame().yNames().isEmpty();
    if (content.frame().mark() == Mark.LINE && named && !logarithmic) {
      return Range.expand(x, MARGIN, MARGIN);
    }
    // An axis must not cut a dot.
    boolean dots = content.series().stream().anyMatch(line -> line.points().size() == 1);
    return logarithmic
        ? ends(x.getLowerBound() / 1.15, view.xMin(), view.xMax().orElse(x.getUpperBound() * 1.15))
        : Range.expand(
            sinceStart(x, view),
            0,
            dots && view.xMax().isEmpty() && x.getLength() > 0 ? MARGIN : 0);
  }

  private static Range y(Content content, View view) {
    if (isYLogarithmic(content, view)) {
      return logarithmic(positive(content), view);
    }
    Range y = content.frame().mark() == Mark.LINE ? lines(content) : bands(content);
    if (content.frame().mark() == Mark.OUTLINE) {
      return new Range(0, y.getUpperBound() * (1 + MARGIN));
    }
    if (content.frame().mark() == Mark.BARS && !content.hasBand()) {
      double longest = Math.max(y.getUpperBound(), -y.getLowerBound());
      y = new Range(y.getLowerBound(), y.getUpperBound() + VALUES * longest);
    }
    Range fitted = linear(y, content.frame().startsAtZero(), view);
    boolean share = content.frame().y().equals(Quantity.ACCURACY) && y.getUpperBound() <= 1;
    return share && view.yMax().isEmpty() ? upToOne(fitted) : fitted;
  }

  private static Range bands(Content content) {
    return extent(content, Point::low, Point::high);
  }

  /** The range of lines; wide bands are cut off, and so is what no accuracy can be. */
  private static Range lines(Content content) {
    Range lines = extent(content, Point::y, Point::y);
    Range bands = bands(content);
    double beyond = lines.getLength() > 0 ? BAND * lines.getLength() : Double.POSITIVE_INFINITY;
    double lower = Math.max(bands.getLowerBound(), lines.getLowerBound() - beyond);
    double upper = Math.min(bands.getUpperBound(), lines.getUpperBound() + beyond);
    if (content.frame().y().equals(Quantity.ACCURACY)) {
      lower = Math.max(lower, Math.min(0, lines.getLowerBound()));
      upper = Math.min(upper, Math.max(1, lines.getUpperBound()));
    }
    return new Range(lower, upper);
  }

  /** Ends an axis of accuracies just beyond 1, so that a line there is seen and no tick follows. */
  private static Range upToOne(Range fitted) {
    double end = 1 + 0.01 * fitted.getLength();
    return new Range(fitted.getLowerBound(), Math.min(fitted.getUpperBound(), end));
  }

  private static Range extent(
      Content content, ToDoubleFunction<Point> low, ToDoubleFunction<Point> high) {
    double lower = content.points().mapToDouble(low).min().orElseThrow();
    double upper = content.points().mapToDouble(high).max().orElseThrow();
    return new Range(lower, upper);
  }

  /** The range that a logarithmic axis can show; the part of a band below zero is cut off. */
  private static Range positive(Content content) {
    double lower =
        content
            .points()
            .mapToDouble(point -> point.low() > 0 ? point.low() : point.y())
            .filter(value -> value > 0)
            .min()
            .orElse(1);
    double upper = content.points().mapToDouble(Point::high).max().orElseThrow();
    return new Range(lower, Math.max(lower, upper));
  }

  /** Starts time and steps at zero, unless the data start far from it. */
  private static Range sinceStart(Range x, View view) {
    double first = x.getLowerBound();
    double upper = view.xMax().orElse(x.getUpperBound());
    if (x.getLength() == 0 && view.xMax().isEmpty()) {
      return new Range(Math.min(0, first), upper > 0 ? 2 * upper : 1);
    }
    boolean far = first > 0.3 * upper && first < upper;
    return ends(far ? first : Math.min(0, first), view.xMin(), upper);
  }

  private static Range linear(Range y, boolean fromZero, View view) {
    double first = y.getLowerBound();
    double length = fromZero ? y.getUpperBound() : y.getLength();
    double margin = length > 0 ? MARGIN * length : Math.max(1e-6, MARGIN * Math.abs(first));
    double upper = view.yMax().orElse(y.getUpperBound() + margin);
    double lower = first - margin;
    boolean leavesZero = first >= 0 && lower < 0;
    boolean atZero = leavesZero || fromZero || lower >= upper;
    return ends(atZero ? Math.min(0, first) : lower, view.yMin(), upper);
  }

  /** A lower end that was chosen counts where it leaves something to see. */
  private static Range ends(double lower, OptionalDouble chosen, double upper) {
    return new Range(
        chosen.isPresent() && chosen.getAsDouble() < upper ? chosen.getAsDouble() : lower, upper);
  }

  private static Range logarithmic(Range y, View view) {
    double margin = Math.max(1.01, Math.pow(y.getUpperBound() / y.getLowerBound(), MARGIN));
    double upper = view.yMax().orElse(y.getUpperBound() * margin);
    double lower = y.getLowerBound() / margin;
    return ends(lower < upper ? lower : upper / 10, view.yMin(), upper);
  }
}
