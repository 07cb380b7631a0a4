package io.github.amb.plots.panel;

/**
 * One point of a line, and of the band around it; or a bar.
 *
 * @param x position on the x axis; a bar's left edge
 * @param y position on the y axis: a run's value, or the mean over a group's seeds
 * @param low lower end of the band; {@code y} if there is no band
 * @param high upper end of the band; {@code y} if there is no band
 * @param width of a bar; 0 of a point
 */
public record Point(double x, double y, double low, double high, double width) {
  /** A point with a band. */
  public Point(double x, double y, double low, double high) {
    this(x, y, low, high, 0);
  }

  /** A point without a band. */
  public Point(double x, double y) {
    this(x, y, y, y, 0);
  }

  /** Right edge of a bar; {@code x} of a point. */
  public double end() {
    return x + width;
  }
}
