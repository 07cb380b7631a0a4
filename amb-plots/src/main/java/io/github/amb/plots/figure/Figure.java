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
    List<RunGroup> groups = RunGroup.of(runs.stream().filter(run -> !run.isEmpty()).toList());
    List<String> notes = new ArrayList<>();
    runs.stream()
        .filter(Run::isEmpty)
        .forEach(run -> notes.add(run.directory().path() + ": no steps recorded, left out"));
    List<Content> contents = new ArrayList<>();
    for (Panel panel : panels) {
      List<Series> series = panel.series(groups, view);
      if (!series.isEmpty()) {
        contents.add(new Content(panel, series));
      }
      noteMissing(panel, series, groups, notes);
    }
    if (contents.isEmpty()) {
      throw new UsageException(
          "nothing to plot: expected records for %s in %s, found none"
              .formatted(
                  String.join(", ", panels.stream().map(Panel::name).toList()),
                  String.join(
                      ", ", runs.stream().map(run -> run.directory().path().toString()).toList())));
    }
    List<String> labels = groups.stream().map(RunGroup::label).toList();
    return new Figure(contents, labels, caption(contents, groups, view), view, size, notes);
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
