package io.github.amb.plots.panel;

import java.util.List;

/**
 * What a panel's axes are, and how its data is drawn between them.
 *
 * @param name what the user types, as {@code accuracy_vs_time}
 * @param x what the x axis shows
 * @param y what the y axis shows
 * @param mark how the data is drawn
 * @param xScale division of the x axis
 * @param yScale division of the y axis
 * @param startsAtZero whether a linear y axis starts at zero whatever the data
 * @param xNames names of x = 0, 1, …, which stand for numbers; empty for numbers
 * @param yNames names of y = 0, 1, …, which stand for numbers; empty for numbers
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

  /** Linear axes of numbers. */
  public static Axes linear(String name, Quantity x, Quantity y, Mark mark, boolean startsAtZero) {
    return new Axes(
        name, x, y, mark, Scale.LINEAR, Scale.LINEAR, startsAtZero, List.of(), List.of());
  }

  /** The same with other scales. */
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

  /** The same with names for y = 0, 1, …. */
  public Axes withYNames(List<String> names) {
    return new Axes(name, x, y, mark, xScale, yScale, startsAtZero, xNames, names);
  }
}
