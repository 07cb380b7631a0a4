package io.github.amb.plots.panel.kind;

import io.github.amb.core.statistic.MovingAverage;
import io.github.amb.plots.panel.Point;
import java.util.ArrayList;
import java.util.List;

/** Points with their y averaged. */
final class Ewma {
  private Ewma() {}

  /** The points with averaged y; the same points if {@code span} is at most 1. */
  static List<Point> smooth(List<Point> points, double span) {
    if (span <= 1) {
      return points;
    }
    MovingAverage average = new MovingAverage(span);
    List<Point> smooth = new ArrayList<>(points.size());
    for (Point point : points) {
      smooth.add(new Point(point.x(), average.next(point.y())));
    }
    return smooth;
  }
}
