package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.View;
import java.util.List;

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

  List<String> labels() {
    return drawing.labels();
  }

  String title() {
    return drawing.title();
  }

  String caption() {
    return drawing.caption();
  }

  /** Whether groups are shown by areas instead of lines. */
  boolean isFilled() {
    return contents().stream()
        .allMatch(
            content -> content.frame().mark() == Mark.BARS || content.frame().mark() == Mark.SPANS);
  }
}
