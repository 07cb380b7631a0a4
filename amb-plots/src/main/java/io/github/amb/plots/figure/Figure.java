package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import java.util.List;
import java.util.stream.Stream;

/**
 * A drawing on a page.
 *
 * @param drawing one or more panels
 * @param view what part of the data is drawn
 * @param size size of a panel
 */
record Figure(Drawing drawing, View view, PanelSize size) {
  List<Content> contents() {
    return drawing.contents();
  }

  /** How a group is drawn in the first panel that has it; as in the first panel if none has. */
  Mark mark(int group) {
    return contents().stream()
        .filter(content -> content.series().stream().anyMatch(line -> line.group() == group))
        .findFirst()
        .orElse(contents().get(0))
        .frame()
        .mark();
  }

  /** The style of a group's lines; its index if it has none. */
  int style(int group) {
    return lines(group).mapToInt(Series::style).findFirst().orElse(group);
  }

  /** Whether a curve of a group has one point at most, so that there is no line to see. */
  boolean isPoint(int group) {
    return lines(group).allMatch(line -> line.points().size() < 2);
  }

  /** Whether the legend has a group. Phases that no timeline shows are left out. */
  boolean isExplained(int group) {
    return mark(group) != Mark.SPANS || lines(group).findAny().isPresent();
  }

  private Stream<Series> lines(int group) {
    return contents().stream()
        .flatMap(content -> content.series().stream())
        .filter(line -> line.group() == group);
  }
}
