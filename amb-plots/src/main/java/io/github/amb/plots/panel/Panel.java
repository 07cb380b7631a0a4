package io.github.amb.plots.panel;

import io.github.amb.plots.run.RunGroup;
import java.util.List;

/** One panel of a figure: two axes, and a line for each group of runs that has the data. */
public interface Panel {
  /** What the user types, as {@code accuracy_vs_time}. */
  String name();

  /** What the x axis shows. */
  Quantity x();

  /** What the y axis shows. */
  Quantity y();

  /** Whether the lines are the outlines of histograms; a point is a bin's lower edge and height. */
  boolean isHistogram();

  /** Whether the y axis starts at zero whatever the data. */
  boolean startsAtZero();

  /** The lines; a group that has none of the data has none. */
  List<Series> series(List<RunGroup> groups, View view);
}
