package io.github.amb.models.data;

import java.util.ArrayList;
import java.util.List;

/**
 * Pen strokes of the digits 0 to 9 as polylines in the unit square, y down.
 *
 * <p>StrictMath and plain arithmetic give the same points on every machine.
 */
final class Glyphs {
  private static final double[][][] DIGITS = {
    {arc(.5, .5, .28, .42, 0, 360)},
    {line(.34, .26, .54, .08, .54, .92)},
    {join(arc(.5, .31, .28, .23, 185, 385), line(.22, .92, .8, .92))},
    {join(arc(.46, .29, .27, .21, 205, 450), arc(.46, .71, .3, .21, 270, 515))},
    {line(.62, .08, .18, .64, .84, .64), line(.64, .36, .64, .92)},
    {join(line(.76, .08, .3, .08, .27, .46), arc(.48, .66, .28, .26, 235, 500))},
    {join(line(.7, .08, .42, .3, .27, .6), arc(.51, .69, .25, .23, 200, 540))},
    {line(.2, .1, .8, .1, .42, .92)},
    {arc(.5, .29, .21, .2, 0, 360), arc(.5, .71, .26, .22, 0, 360)},
    {join(arc(.49, .31, .25, .23, 20, 380), line(.74, .34, .7, .62, .54, .92))},
  };

  private Glyphs() {}

  /**
   * Strokes of one digit, each {@code x0, y0, x1, y1, …}. Shared; do not modify.
   *
   * @param digit 0 to 9
   */
  static double[][] strokes(int digit) {
    return DIGITS[digit];
  }

  private static double[] line(double... points) {
    return points;
  }

  /** Part of an ellipse around (x, y), from one angle to another in degrees, clockwise. */
  private static double[] arc(
      double x, double y, double radiusX, double radiusY, int from, int to) {
    int pieces = Math.max(2, (to - from) / 30);
    double[] points = new double[2 * (pieces + 1)];
    for (int i = 0; i <= pieces; i++) {
      double angle = StrictMath.toRadians(from + (double) (to - from) * i / pieces);
      points[2 * i] = x + radiusX * StrictMath.cos(angle);
      points[2 * i + 1] = y + radiusY * StrictMath.sin(angle);
    }
    return points;
  }

  private static double[] join(double[]... parts) {
    List<Double> points = new ArrayList<>();
    for (double[] part : parts) {
      for (double coordinate : part) {
        points.add(coordinate);
      }
    }
    return points.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
