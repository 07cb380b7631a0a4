package io.github.amb.plots.panel;

/**
 * One point of a line, and of the band around it.
 *
 * @param x position on the x axis
 * @param y position on the y axis: a run's value, or the mean over a group's seeds
 * @param low lower end of the band; {@code y} if there is no band
 * @param high upper end of the band; {@code y} if there is no band
 */
public record Point(double x, double y, double low, double high) {
  /** A point without a band. */
  public Point(double x, double y) {
    this(x, y, y, y);
  }
}
