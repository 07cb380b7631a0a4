package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A panel of curves: a run's points, or the mean and band over a group's seeds. */
abstract class Curve implements Panel {
  private final String name;
  private final Quantity x;
  private final Quantity y;

  Curve(String name, Quantity x, Quantity y) {
    this.name = name;
    this.x = x;
    this.y = y;
  }

  /** The run's points, in any order; points that are not finite are left out of the drawing. */
  abstract List<Point> points(Run run);

  /** Whether the values are noisy measurements, which {@link View#filterSpan} smooths. */
  abstract boolean isNoisy();

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Quantity x() {
    return x;
  }

  @Override
  public final Quantity y() {
    return y;
  }

  @Override
  public final boolean isHistogram() {
    return false;
  }

  @Override
  public boolean startsAtZero() {
    return !isNoisy();
  }

  @Override
  public final List<Series> series(List<RunGroup> groups, View view) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      List<List<Point>> curves =
          groups.get(i).runs().stream()
              .map(run -> prepare(points(run), view))
              .filter(curve -> !curve.isEmpty())
              .toList();
      List<Point> points = curves.isEmpty() ? List.of() : SeedAverage.of(curves);
      if (!points.isEmpty()) {
        series.add(new Series(i, points));
      }
    }
    return series;
  }

  private List<Point> prepare(List<Point> points, View view) {
    List<Point> finite =
        points.stream()
            .filter(point -> Double.isFinite(point.x()) && Double.isFinite(point.y()))
            .filter(point -> !view.yLog() || point.y() > 0)
            .sorted(Comparator.comparingDouble(Point::x))
            .toList();
    List<Point> smooth = isNoisy() ? Ewma.smooth(finite, view.filterSpan()) : finite;
    return view.xMax().isPresent() ? upTo(view.xMax().getAsDouble(), smooth) : smooth;
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
