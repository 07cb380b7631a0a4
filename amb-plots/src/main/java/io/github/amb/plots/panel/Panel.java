package io.github.amb.plots.panel;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import io.github.amb.plots.run.RunGroup;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** One panel of a figure of runs: its axes, and how to find what is drawn between them. */
public abstract class Panel implements Registry.Entry {
  private final Axes frame;

  /** A panel with these axes and their name. */
  protected Panel(Axes frame) {
    this.frame = frame;
  }

  @Override
  public final Description description() {
    return Description.of(frame.name(), frame.y().label() + " against " + frame.x().label());
  }

  /** The axes, as far as they are independent of the runs. */
  public final Axes frame() {
    return frame;
  }

  /** The lines; a group without data has none. */
  public abstract List<Series> series(List<RunGroup> groups, View view);

  /** An explanation of the drawing for these groups; empty if it is obvious. */
  public String caption(List<RunGroup> groups) {
    return "";
  }

  /**
   * The only value that the panel would show, for all groups; empty if there are several, or none.
   * A figure of many panels states such a value instead of drawing it.
   */
  public OptionalDouble constant(List<RunGroup> groups) {
    return OptionalDouble.empty();
  }

  /** The value that all of these are; empty if they differ, or there are fewer than two. */
  protected static OptionalDouble only(DoubleStream values) {
    double[] finite = values.filter(Double::isFinite).toArray();
    boolean same = finite.length > 1 && Arrays.stream(finite).allMatch(x -> x == finite[0]);
    return same ? OptionalDouble.of(finite[0]) : OptionalDouble.empty();
  }

  /** The axes and the lines. */
  public Content content(List<RunGroup> groups, View view) {
    return new Content(frame, series(groups, view));
  }
}
