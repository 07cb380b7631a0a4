package io.github.amb.plots.panel;

import io.github.amb.core.statistic.Band;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Mean and {@link Band} over the curves of runs that differ only in seed. Each curve is read
 * between its points along the straight lines that would be drawn; the mean reaches over the x that
 * every curve covers, and has a point wherever one of them has; a gap of one is a gap of the mean.
 */
final class SeedAverage {
  private SeedAverage() {}

  /** Averages curves, each with one or more points by ascending x. */
  static List<Point> of(List<List<Point>> curves) {
    if (curves.size() == 1) {
      return curves.get(0);
    }
    List<Reading> readings = curves.stream().map(Reading::new).toList();
    double[] values = new double[curves.size()];
    List<Point> average = new ArrayList<>();
    for (double x : sharedGrid(curves)) {
      Arrays.setAll(values, i -> readings.get(i).at(x));
      Band band = Band.of(values);
      average.add(new Point(x, band.mean(), low(band, values), band.high()));
    }
    return average;
  }

  /** The band's lower end; at least 0 if no value is below, as no loss or time is. */
  private static double low(Band band, double[] values) {
    boolean positive = Arrays.stream(values).allMatch(value -> value >= 0);
    return positive ? Math.max(0, band.low()) : band.low();
  }

  /** All x values of points, ascending, within the range that all curves cover. */
  private static double[] sharedGrid(List<List<Point>> curves) {
    double first = Double.NEGATIVE_INFINITY;
    double last = Double.POSITIVE_INFINITY;
    for (List<Point> curve : curves) {
      first = Math.max(first, curve.get(0).x());
      last = Math.min(last, curve.get(curve.size() - 1).x());
    }
    double from = first;
    double to = last;
    return curves.stream()
        .flatMapToDouble(curve -> curve.stream().mapToDouble(Point::x))
        .filter(x -> from <= x && x <= to)
        .sorted()
        .distinct()
        .toArray();
  }

  /** Interpolates a curve at ascending x values. */
  private static final class Reading {
    private final List<Point> curve;
    private int next;

    Reading(List<Point> curve) {
      this.curve = curve;
    }

    double at(double x) {
      while (next < curve.size() - 1 && curve.get(next).x() < x) {
        next++;
      }
      return between(curve.get(Math.max(0, next - 1)), curve.get(next), x);
    }

    private static double between(Point left, Point right, double x) {
      double width = right.x() - left.x();
      if (width == 0 || x == right.x()) {
        return right.y();
      }
      if (x == left.x()) {
        return left.y();
      }
      return left.y() + (right.y() - left.y()) * (x - left.x()) / width;
    }
  }
}
