package io.github.amb.plots.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A curve of a bounded number of points. A point stands for {@code stride} values, which doubles
 * when there are too many points.
 */
final class ThinnedCurve {
  private static final int MAX = 1000;

  private final List<double[]> points = new ArrayList<>();
  private long stride = 1;
  private long taken;
  private long inSum;
  private double sum;

  /**
   * Adds a value.
   *
   * @param time seconds since the run's first step began
   * @param step updates
   * @param value what the curve shows; a point has the mean of its values that are not NaN
   * @param examples examples in all updates so far
   */
  void add(double time, long step, double value, long examples) {
    if (!Double.isNaN(value)) {
      sum += value;
      inSum++;
    }
    taken++;
    if (taken == stride) {
      points.add(new double[] {time, step, sum / inSum, examples});
      sum = 0;
      inSum = 0;
      taken = 0;
      if (points.size() == MAX) {
        halve();
      }
    }
  }

  private void halve() {
    for (int i = 0; i < MAX / 2; i++) {
      double[] last = points.get(2 * i + 1);
      last[2] = mean(points.get(2 * i)[2], last[2]);
      points.set(i, last);
    }
    points.subList(MAX / 2, MAX).clear();
    stride *= 2;
  }

  private static double mean(double a, double b) {
    if (Double.isNaN(a)) {
      return b;
    }
    return Double.isNaN(b) ? a : (a + b) / 2;
  }

  /**
   * What a reader lacks: {@code from} is the index of the first of {@code points}.
   *
   * @param knownStride stride of the points that the reader has
   * @param known number of points that the reader has
   */
  Map<String, Object> since(long knownStride, int known) {
    int from = knownStride == stride ? Math.min(Math.max(known, 0), points.size()) : 0;
    List<double[]> rest = new ArrayList<>(points.subList(from, points.size()));
    return Map.of("stride", stride, "from", from, "points", rest);
  }
}
