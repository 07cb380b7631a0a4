package io.github.amb.plots.panel;

/** How data is drawn. */
public enum Mark {
  /** A line through the points, with a band from their low to their high ends. */
  LINE,
  /** The outline of a histogram: a point is a bin's lower edge and height. */
  OUTLINE,
  /** Points joined by a line, each with a marker. */
  DOTS,
  /** Bars from 0 to y, each with a whisker from its low to its high end. */
  BARS,
  /** Rectangles, from low to high. */
  SPANS
}
