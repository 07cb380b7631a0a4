package io.github.amb.plots.figure;

import java.awt.Graphics2D;
import java.util.function.Consumer;

/** The surface on which a figure is painted. */
interface Canvas {
  /** Paints one part of the figure: a panel, the legend or the caption. */
  void part(String name, Consumer<Graphics2D> painting);
}
