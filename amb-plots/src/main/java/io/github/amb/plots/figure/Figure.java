package io.github.amb.plots.figure;

import io.github.amb.core.command.UsageException;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What is drawn on one page.
 *
 * @param contents the panels that have data, in order
 * @param labels what the legend calls each group of runs
 * @param caption one line on what lines and bands are; empty if that is plain
 * @param view what part of the data is drawn
 * @param size size of a panel
 * @param notes what is missing in the figure, one line each, for the user
 */
record Figure(
    List<Content> contents,
    List<String> labels,
    String caption,
    View view,
    PanelSize size,
    List<String> notes) {

  /**
   * Collects the data of a figure.
   *
   * @throws UsageException if no run has anything for any panel
   */
  static Figure of(List<Run> runs, List<Panel> panels, View view, PanelSize size) {
    List<Run> empty = runs.stream().filter(Run::isEmpty).toList();
    List<RunGroup> groups = RunGroup.of(runs.stream().filter(run -> !run.isEmpty()).toList());
    List<String> notes = new ArrayList<>();
    empty.forEach(run -> notes.add(run.directory().path() + ": nothing recorded yet, left out"));
    List<Content> contents = new ArrayList<>();
    for (Panel panel : panels) {
      List<Series> series = panel.series(groups, view);
      if (!series.isEmpty()) {
        contents.add(new Content(panel, series));
      }
      noteMissing(panel, series, groups, notes);
    }
    if (contents.isEmpty()) {
      throw new UsageException(nothing(runs, empty.size() == runs.size(), panels));
    }
    if (groups.size() > LineStyle.COUNT) {
      notes.add(
          "%d lines: colours and dashes repeat after %d".formatted(groups.size(), LineStyle.COUNT));
    }
    List<String> labels = groups.stream().map(RunGroup::label).toList();
    return new Figure(contents, labels, caption(contents, groups, view), view, size, notes);
  }

  private static String nothing(List<Run> runs, boolean allEmpty, List<Panel> panels) {
    String first = runs.get(0).directory().path().toString();
    String where = runs.size() == 1 ? first : first + " and " + (runs.size() - 1) + " more";
    String what =
        allEmpty
            ? "steps or evaluations in master.jsonl"
            : "records for " + String.join(", ", panels.stream().map(Panel::name).toList());
    return "%s: nothing to plot: expected %s, found none".formatted(where, what);
  }

  private static void noteMissing(
      Panel panel, List<Series> series, List<RunGroup> groups, List<String> notes) {
    TreeSet<Integer> missing = new TreeSet<>();
    for (int i = 0; i < groups.size(); i++) {
      missing.add(i);
    }
    series.forEach(line -> missing.remove(line.group()));
    for (int group : missing) {
      notes.add("%s: no data of '%s'".formatted(panel.name(), groups.get(group).label()));
    }
  }

  private static String caption(List<Content> contents, List<RunGroup> groups, View view) {
    List<String> parts = new ArrayList<>();
    if (contents.stream().anyMatch(Content::hasBand)) {
      parts.add("Lines: mean over seeds; bands: minimum to maximum.");
    }
    if (view.filterSpan() > 1) {
      parts.add(
          "Loss and accuracy: exponentially weighted moving average, span %s points."
              .formatted(
                  BigDecimal.valueOf(view.filterSpan()).stripTrailingZeros().toPlainString()));
    }
    return String.join(" ", parts);
  }
}
