package io.github.amb.plots.figure;

import io.github.amb.plots.CsvLine;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The plotted points of a figure, one per line: panel, run (its label in the legend), x, y, and the
 * ends of the band; for bars also the width. A histogram's point is a bin's lower edge and height.
 * Long lines are not thinned.
 */
final class CsvFormat {
  private CsvFormat() {}

  static byte[] bytes(Figure figure) {
    boolean bars =
        figure.contents().stream().flatMap(Content::points).anyMatch(point -> point.width() > 0);
    List<Object> header = new ArrayList<>(List.of("panel", "run", "x", "y", "low", "high"));
    if (bars) {
      header.add("width");
    }
    StringBuilder text = new StringBuilder(CsvLine.of(header));
    for (Content content : figure.contents()) {
      for (Series series : content.series()) {
        String label = figure.drawing().labels().get(series.group());
        for (Point point : series.points()) {
          text.append(CsvLine.of(fields(content.frame().name(), label, point, bars)));
        }
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<Object> fields(String panel, String label, Point point, boolean bars) {
    List<Object> fields =
        new ArrayList<>(List.of(panel, label, point.x(), point.y(), point.low(), point.high()));
    if (bars) {
      fields.add(point.width());
    }
    return fields;
  }
}
