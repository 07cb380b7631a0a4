package io.github.amb.plots.report;

import io.github.amb.core.file.Json;
import io.github.amb.plots.figure.LineStyle;
import io.github.amb.plots.figure.M4;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.awt.Color;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * The curves of a drawing as JSON for a script in a page: an array with an object for each panel of
 * curves. Long curves are thinned as in figures. A row has x, the y of each curve, then the low and
 * the high end of each curve that has a band. The text has no character that ends or begins an
 * element.
 */
public final class CurveData {
  /** A panel as the script reads it. */
  private record CurvePanel(
      String name, String x, String y, List<CurveLine> curves, Collection<Double[]> rows) {}

  /** A curve as the script reads it; {@code dash} is empty for an unbroken line. */
  private record CurveLine(String label, boolean band, String color, float[] dash) {}

  private CurveData() {}

  /** Whether a panel shows curves. */
  public static boolean isCurve(Content content) {
    return content.frame().mark() == Mark.LINE;
  }

  /** The curves of all panels that have some. */
  public static String of(Drawing drawing) {
    List<CurvePanel> panels =
        drawing.contents().stream()
            .filter(CurveData::isCurve)
            .map(content -> panel(content, drawing.labels()))
            .toList();
    String text = Json.line(panels);
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private static CurvePanel panel(Content content, List<String> labels) {
    return new CurvePanel(
        content.frame().name(),
        content.frame().x().label(),
        content.frame().y().label(),
        content.series().stream().map(line -> curve(line, labels.get(line.group()))).toList(),
        rows(content.series()));
  }

  private static CurveLine curve(Series line, String label) {
    Color color = LineStyle.color(line.style());
    float[] dashes = LineStyle.line(line.style()).getDashArray();
    float[] doubled = new float[dashes == null ? 0 : dashes.length];
    for (int i = 0; i < doubled.length; i++) {
      doubled[i] = 2 * dashes[i];
    }
    return new CurveLine(label, hasBand(line), LineStyle.html(color), doubled);
  }

  private static boolean hasBand(Series line) {
    return line.points().stream().anyMatch(point -> point.low() < point.high());
  }

  /** A row for each x that a curve has; null of a curve without a point there, NaN at a gap. */
  private static Collection<Double[]> rows(List<Series> series) {
    TreeMap<Double, Double[]> rows = new TreeMap<>();
    int bands = (int) series.stream().filter(CurveData::hasBand).count();
    int edge = 1 + series.size();
    for (int i = 0; i < series.size(); i++) {
      boolean band = hasBand(series.get(i));
      for (Point point : M4.thin(series.get(i).points(), series.size())) {
        Double[] row =
            rows.computeIfAbsent(point.x(), x -> new Double[1 + series.size() + 2 * bands]);
        row[0] = point.x();
        row[1 + i] = point.y();
        if (band && !Double.isNaN(point.y())) {
          row[edge] = point.low();
          row[edge + 1] = point.high();
        }
      }
      edge += band ? 2 : 0;
    }
    return rows.values();
  }
}
