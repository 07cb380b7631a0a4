package io.github.amb.plots.figure;

/**
 * Size of a panel with its labels.
 *
 * @param width in inches
 * @param height in inches
 */
public record PanelSize(double width, double height) {
  /** Three columns fit a landscape page, two a portrait one at 90 %. */
  public static final PanelSize DEFAULT = new PanelSize(3.6, 2.7);
}
