package io.github.amb.plots.panel;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Mean and band, minimum to maximum, over the curves of runs that differ only in seed. Each curve
 * is read between its points along the straight lines that would be drawn; the mean reaches over
 * the x that every curve covers, and has a point wherever one of them has.
 */
final class SeedAverage {
  private SeedAverage() {}

  /** Averages curves that each have one or more points, by ascending x. */
  static List<Point> of(List<List<Point>> curves) {
    if (curves.size() == 1) {
      return curves.get(0);
    }
    List<double[]> columns = new ArrayList<>();
    NavigableSet<Double> grid = sharedGrid(curves);
    for (List<Point> curve : curves) {
      columns.add(resample(curve, grid));
    }
    List<Point> average = new ArrayList<>(grid.size());
    int i = 0;
    for (double x : grid) {
      average.add(point(x, columns, i++));
    }
    return average;
  }

  private static NavigableSet<Double> sharedGrid(List<List<Point>> curves) {
    NavigableSet<Double> grid = new TreeSet<>();
    double first = Double.NEGATIVE_INFINITY;
    double last = Double.POSITIVE_INFINITY;
    for (List<Point> curve : curves) {
      curve.forEach(point -> grid.add(point.x()));
      first = Math.max(first, curve.get(0).x());
      last = Math.min(last, curve.get(curve.size() - 1).x());
    }
    return first > last ? new TreeSet<>() : grid.subSet(first, true, last, true);
  }

  private static double[] resample(List<Point> curve, NavigableSet<Double> grid) {
    double[] values = new double[grid.size()];
    int next = 0;
    int i = 0;
    for (double x : grid) {
      while (next < curve.size() - 1 && curve.get(next).x() < x) {
        next++;
      }
      values[i++] = between(curve.get(Math.max(0, next - 1)), curve.get(next), x);
    }
    return values;
  }

  private static double between(Point left, Point right, double x) {
    double width = right.x() - left.x();
    if (width == 0 || x == right.x()) {
      return right.y();
    }
    return left.y() + (right.y() - left.y()) * (x - left.x()) / width;
  }

  private static Point point(double x, List<double[]> columns, int i) {
    double sum = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[] column : columns) {
      sum += column[i];
      low = Math.min(low, column[i]);
      high = Math.max(high, column[i]);
    }
    return new Point(x, sum / columns.size(), low, high);
  }
}
