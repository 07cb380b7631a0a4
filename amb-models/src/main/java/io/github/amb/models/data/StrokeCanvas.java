package io.github.amb.models.data;

import java.util.Arrays;

/** A square gray image on which a round pen draws segments. Each pixel keeps its darkest ink. */
final class StrokeCanvas {
  private final int side;
  private final double[] ink;

  StrokeCanvas(int side) {
    this.side = side;
    this.ink = new double[side * side];
  }

  void clear() {
    Arrays.fill(ink, 0);
  }

  /**
   * Draws a segment. Coordinates are in pixels; (0, 0) is the center of the first pixel.
   *
   * @param radius of the pen in pixels; its edge fades over one pixel
   */
  void segment(double x0, double y0, double x1, double y1, double radius) {
    double reach = radius + 0.5;
    int top = clamp(StrictMath.floor(Math.min(y0, y1) - reach));
    int bottom = clamp(StrictMath.ceil(Math.max(y0, y1) + reach));
    int left = clamp(StrictMath.floor(Math.min(x0, x1) - reach));
    int right = clamp(StrictMath.ceil(Math.max(x0, x1) + reach));
    double dx = x1 - x0;
    double dy = y1 - y0;
    double scale = 1 / Math.max(dx * dx + dy * dy, 1e-9);
    for (int y = top; y <= bottom; y++) {
      for (int x = left; x <= right; x++) {
        double along = ((x - x0) * dx + (y - y0) * dy) * scale;
        double nearest = Math.min(1, Math.max(0, along));
        double ex = x - x0 - nearest * dx;
        double ey = y - y0 - nearest * dy;
        double distanceSquared = ex * ex + ey * ey;
        if (distanceSquared < reach * reach) {
          double shade = Math.min(1, reach - StrictMath.sqrt(distanceSquared));
          ink[y * side + x] = Math.max(ink[y * side + x], shade);
        }
      }
    }
  }

  private int clamp(double coordinate) {
    return (int) Math.max(0, Math.min(side - 1.0, coordinate));
  }

  /** Ink of a pixel, 0 to 1. */
  double ink(int pixel) {
    return ink[pixel];
  }
}
