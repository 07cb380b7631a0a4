package io.github.amb.plots.figure;

import io.github.amb.plots.CsvLine;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The plotted points of a figure, one a line: panel, run (as the legend calls it), x, y, and the
 * band's ends. A histogram's point is a bin's lower edge and height. Long lines are not thinned.
 */
final class CsvFormat {
  private CsvFormat() {}

  static byte[] bytes(Figure figure) {
    StringBuilder text =
        new StringBuilder(CsvLine.of(List.of("panel", "run", "x", "y", "low", "high")));
    for (Content content : figure.contents()) {
      for (Series series : content.series()) {
        String label = figure.labels().get(series.group());
        for (Point point : series.points()) {
          text.append(
              CsvLine.of(
                  List.of(
                      content.panel().name(),
                      label,
                      point.x(),
                      point.y(),
                      point.low(),
                      point.high())));
        }
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
