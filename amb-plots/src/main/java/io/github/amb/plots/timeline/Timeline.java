package io.github.amb.plots.timeline;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.PlainText;
import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunLabels;
import java.util.ArrayList;
import java.util.List;

/** Bars of each rank's activity over time, one panel per run. */
public final class Timeline {
  /** The name that the user types. */
  public static final String NAME = "timeline";

  /** Number of steps that are drawn unless the user sets the end of the axis. */
  private static final int STEPS = 10;

  /** Maximum length of a label below a panel, in characters. */
  private static final int MAX_LABEL = 30;

  private static final double HALF_HEIGHT = 0.36;

  private Timeline() {}

  /**
   * Draws the first steps of each run, or those up to the view's end.
   *
   * @throws UsageException if no run has recorded a step
   */
  public static Drawing draw(List<Run> runs, View view) {
    List<Content> contents = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<String> labels = RunLabels.of(runs);
    for (int i = 0; i < runs.size(); i++) {
      List<Span> spans = Spans.of(runs.get(i));
      if (spans.isEmpty()) {
        notes.add(runs.get(i).directory().path() + ": nothing recorded yet, left out");
      } else {
        contents.add(panel(runs.get(i), labels.get(i), spans, view));
      }
    }
    if (contents.isEmpty()) {
      throw new UsageException(
          runs.get(0).directory().path() + ": nothing to plot: expected steps, found none");
    }
    return new Drawing(contents, Phase.labels(), caption(view), notes);
  }

  private static String caption(View view) {
    return view.xMax().isPresent()
        ? "Rank 0 is the master."
        : "Rank 0 is the master. The first " + STEPS + " updates; --xmax shows more.";
  }

  private static Content panel(Run run, String label, List<Span> spans, View view) {
    double end = view.xMax().orElse(endOfSteps(run.steps(), spans));
    int ranks = spans.stream().mapToInt(Span::rank).max().orElse(0) + 1;
    List<String> names = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      names.add(rank == 0 ? "master" : "worker " + rank);
    }
    Axes frame =
        Axes.linear(
                NAME,
                Quantity.real(PlainText.shortened(label, MAX_LABEL) + ": time (s)"),
                Quantity.NOTHING,
                Mark.SPANS,
                false)
            .withYNames(names);
    List<Series> series = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      List<Point> bars =
          spans.stream()
              .filter(span -> span.phase() == phase && span.start() < end)
              .map(span -> bar(span, end))
              .toList();
      if (!bars.isEmpty()) {
        series.add(new Series(phase.ordinal(), bars));
      }
    }
    return new Content(frame, series);
  }

  private static double endOfSteps(List<StepRecord> steps, List<Span> spans) {
    return steps.isEmpty()
        ? spans.stream().mapToDouble(Span::end).max().orElse(1)
        : steps.get(Math.min(STEPS, steps.size()) - 1).time();
  }

  private static Point bar(Span span, double end) {
    return new Point(
        span.start(),
        span.rank(),
        span.rank() - HALF_HEIGHT,
        span.rank() + HALF_HEIGHT,
        Math.min(end, span.end()) - span.start());
  }
}
