package io.github.amb.plots.panel;

import java.util.ArrayList;
import java.util.List;

/**
 * Exponentially weighted moving average with weights that sum to one, pandas' {@code
 * ewm(span).mean()}: y̅_t = Σ_i (1−α)^i y_{t−i} / Σ_i (1−α)^i with α = 2 / (span + 1).
 */
final class Ewma {
  private Ewma() {}

  /** The points with averaged y; the same points if {@code span} is at most 1. */
  static List<Point> smooth(List<Point> points, double span) {
    if (span <= 1) {
      return points;
    }
    double decay = 1 - 2 / (span + 1);
    double sum = 0;
    double weight = 0;
    List<Point> smooth = new ArrayList<>(points.size());
    for (Point point : points) {
      sum = decay * sum + point.y();
      weight = decay * weight + 1;
      smooth.add(new Point(point.x(), sum / weight));
    }
    return smooth;
  }
}
