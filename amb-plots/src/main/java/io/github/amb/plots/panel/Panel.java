package io.github.amb.plots.panel;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Registry;
import io.github.amb.plots.run.RunGroup;
import java.util.List;

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

  /** The axes and the lines. */
  public Content content(List<RunGroup> groups, View view) {
    return new Content(frame, series(groups, view));
  }
}
