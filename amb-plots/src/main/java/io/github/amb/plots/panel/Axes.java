package io.github.amb.plots.panel;

import java.util.List;

/**
 * The axes of a panel, and how data are drawn between them.
 *
 * @param name what the user types, such as {@code accuracy_vs_time}
 * @param x quantity on the x axis
 * @param y quantity on the y axis
 * @param mark how the data are drawn
 * @param xScale scale of the x axis
 * @param yScale scale of the y axis
 * @param startsAtZero whether a linear y axis always includes zero
 * @param xNames names in place of x = 0, 1, …; empty for numbers
 * @param yNames names in place of y = 0, 1, …; empty for numbers
 */
public record Axes(
    String name,
    Quantity x,
    Quantity y,
    Mark mark,
    Scale xScale,
    Scale yScale,
    boolean startsAtZero,
    List<String> xNames,
    List<String> yNames) {

  /** Linear axes with numbers. */
  public static Axes linear(String name, Quantity x, Quantity y, Mark mark, boolean startsAtZero) {
    return new Axes(
        name, x, y, mark, Scale.LINEAR, Scale.LINEAR, startsAtZero, List.of(), List.of());
  }

  /** A copy of these axes with other scales. */
  public Axes scaled(Scale otherX, Scale otherY) {
    return new Axes(name, x, y, mark, otherX, otherY, startsAtZero, xNames, yNames);
  }

  /** The same of other quantities. */
  Axes of(Quantity otherX, Quantity otherY) {
    return new Axes(name, otherX, otherY, mark, xScale, yScale, startsAtZero, xNames, yNames);
  }

  /** The same with names for x = 0, 1, …. */
  public Axes withXNames(List<String> names) {
    return new Axes(name, x, y, mark, xScale, yScale, startsAtZero, names, yNames);
  }

  /** A copy of these axes with names in place of y = 0, 1, …. */
  public Axes withYNames(List<String> names) {
    return new Axes(name, x, y, mark, xScale, yScale, startsAtZero, xNames, names);
  }
}
