package io.github.amb.plots.panel;

import io.github.amb.core.statistic.MovingAverage;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** A panel of curves: a run's points, or the mean and band over a group's seeds. */
public final class Curve extends Panel {
  private final boolean noisy;
  private final Function<Run, List<Point>> points;

  private Curve(Axes frame, boolean noisy, Function<Run, List<Point>> points) {
    super(frame);
    this.noisy = noisy;
    this.points = points;
  }

  /**
   * A panel of noisy measurements, which {@link View#filterSpan} smooths.
   *
   * @param points a run's, in any order; a y that is not finite is a gap
   */
  public static Curve measured(
      String name, Quantity x, Quantity y, Function<Run, List<Point>> points) {
    return new Curve(Axes.linear(name, x, y, Mark.LINE, false), true, points);
  }

  /**
   * A panel of counts or settings, whose y axis starts at zero.
   *
   * @param points a run's, in any order; a y that is not finite is a gap
   */
  public static Curve counted(
      String name, Quantity x, Quantity y, Function<Run, List<Point>> points) {
    return new Curve(Axes.linear(name, x, y, Mark.LINE, true), false, points);
  }

  @Override
  public List<Series> series(List<RunGroup> groups, View view) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      List<List<Point>> curves =
          groups.get(i).runs().stream()
              .map(run -> prepare(points.apply(run), view))
              .filter(curve -> curve.stream().anyMatch(point -> !Double.isNaN(point.y())))
              .toList();
      List<Point> average = curves.isEmpty() ? List.of() : SeedAverage.of(curves);
      if (!average.isEmpty()) {
        series.add(new Series(i, average));
      }
    }
    return series;
  }

  @Override
  public OptionalDouble constant(List<RunGroup> groups) {
    return noisy
        ? OptionalDouble.empty()
        : only(
            groups.stream()
                .flatMap(group -> group.runs().stream())
                .flatMap(run -> points.apply(run).stream())
                .mapToDouble(Point::y));
  }

  private List<Point> prepare(List<Point> all, View view) {
    List<Point> finite =
        all.stream()
            .filter(point -> Double.isFinite(point.x()))
            .map(point -> Double.isFinite(point.y()) ? point : new Point(point.x(), Double.NaN))
            .filter(point -> !view.yLog() || !(point.y() <= 0))
            .sorted(Comparator.comparingDouble(Point::x))
            .toList();
    List<Point> smooth = noisy ? smooth(finite, view.filterSpan()) : finite;
    return view.xMax().isPresent() ? upTo(view.xMax().getAsDouble(), smooth) : smooth;
  }

  /** The points with averaged y; the same points if {@code span} is at most 1. */
  static List<Point> smooth(List<Point> points, double span) {
    if (span <= 1) {
      return points;
    }
    MovingAverage average = new MovingAverage(span);
    List<Point> smooth = new ArrayList<>(points.size());
    for (Point point : points) {
      boolean gap = Double.isNaN(point.y());
      smooth.add(gap ? point : new Point(point.x(), average.next(point.y())));
    }
    return smooth;
  }

  /** The points up to xMax and the next one, so that the line reaches the axis' end. */
  private static List<Point> upTo(double xMax, List<Point> points) {
    int end = 0;
    while (end < points.size() && points.get(end).x() <= xMax) {
      end++;
    }
    return end == 0 ? List.of() : points.subList(0, Math.min(end + 1, points.size()));
  }
}
