package io.github.amb.plots.figure;

import io.github.amb.core.option.UsageException;
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
import java.util.Arrays;
import java.util.List;

/** Bars of each rank's activity over time, one panel per run. */
public final class Timeline {
  /** The name that the user types. */
  public static final String NAME = "timeline";

  /** Number of steps that are drawn unless the user sets the end of the axis. */
  private static final int STEPS = 10;

  /** Maximum ratio of the runs' ends at which all of them have the same axis. */
  private static final double ALIKE = 3;

  /** Maximum length of a label below a panel, in characters. */
  private static final int MAX_LABEL = 30;

  private static final double HALF_HEIGHT = 0.36;

  private Timeline() {}

  /**
   * Draws the first steps of each run, or those up to the view's end. Runs of about the same speed
   * have the same axis.
   *
   * @param chosen the name of each run; empty for those that tell the runs apart
   * @throws UsageException if no run has recorded a step, or there are more or fewer names
   */
  public static Drawing draw(List<Run> runs, List<String> chosen, View view) {
    if (!chosen.isEmpty() && chosen.size() != runs.size()) {
      throw new UsageException(
          "--label: expected %s labels, one for each run, found %s", runs.size(), chosen.size());
    }
    List<String> labels = chosen.isEmpty() ? RunLabels.of(runs) : chosen;
    List<List<Span>> spans = runs.stream().map(Spans::of).toList();
    double[] ends = ends(runs, spans, view);
    List<Content> contents = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      if (spans.get(i).isEmpty()) {
        notes.add(runs.get(i).directory().path() + ": nothing recorded yet, left out");
      } else {
        contents.add(panel(runs.get(i), labels.get(i), spans.get(i), ends[i]));
      }
    }
    if (contents.isEmpty()) {
      throw new UsageException(
          runs.get(0).directory().path() + ": nothing to plot: expected steps, found none");
    }
    return new Drawing(contents, Phase.legend(), caption(view), notes);
  }

  /** The end of each run's axis, in seconds. */
  private static double[] ends(List<Run> runs, List<List<Span>> spans, View view) {
    double[] ends = new double[runs.size()];
    Arrays.setAll(
        ends, i -> view.xMax().orElseGet(() -> endOfSteps(runs.get(i).steps(), spans.get(i))));
    double longest = Arrays.stream(ends).max().orElseThrow();
    boolean alike = Arrays.stream(ends).allMatch(end -> end * ALIKE >= longest);
    if (alike) {
      Arrays.fill(ends, longest);
    }
    return ends;
  }

  private static String caption(View view) {
    return view.xMax().isPresent()
        ? ""
        : "The first " + STEPS + " updates or more; --xmax chooses the end.";
  }

  private static Content panel(Run run, String label, List<Span> spans, double end) {
    int last = spans.stream().mapToInt(Span::rank).max().orElse(0);
    int ranks = Math.max(last, run.workerCount()) + 1;
    List<String> names = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      names.add(rank == 0 ? "master" : "worker " + rank);
    }
    Quantity time = Quantity.real(PlainText.shortened(label, MAX_LABEL) + ": time (s)");
    Axes frame =
        Axes.linear(
                NAME, run.isVirtual() ? time.virtual() : time, Quantity.NOTHING, Mark.SPANS, false)
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
