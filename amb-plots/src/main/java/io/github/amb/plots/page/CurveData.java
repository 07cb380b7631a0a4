package io.github.amb.plots.page;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.plots.figure.chart.LineStyle;
import io.github.amb.plots.figure.chart.M4;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.awt.Color;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The curves of a drawing as JSON for a script in a page: an array with an object for each panel of
 * curves. Long curves are thinned as in figures. A row has x, the y of each curve, then the low and
 * the high end of each curve that has a band. The text has no character that ends or begins an
 * element.
 */
public final class CurveData {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private CurveData() {}

  /** Whether a panel shows curves. */
  public static boolean isCurve(Content content) {
    return content.frame().mark() == Mark.LINE;
  }

  /** The curves of all panels that have some. */
  public static String of(Drawing drawing) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartArray();
      for (Content content : drawing.contents()) {
        if (isCurve(content)) {
          panel(json, content, drawing.labels());
        }
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write curves as JSON", e);
    }
    return text.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private static void panel(JsonGenerator json, Content content, List<String> labels)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", content.frame().name());
    json.writeStringField("x", content.frame().x().label());
    json.writeStringField("y", content.frame().y().label());
    json.writeArrayFieldStart("curves");
    for (Series line : content.series()) {
      curve(json, line, labels.get(line.group()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (var row : rows(content.series()).entrySet()) {
      json.writeStartArray();
      json.writeNumber(row.getKey());
      for (double value : row.getValue()) {
        if (Double.isNaN(value)) {
          json.writeNull();
        } else {
          json.writeNumber(value);
        }
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void curve(JsonGenerator json, Series line, String label) throws IOException {
    int group = line.group();
    json.writeStartObject();
    json.writeStringField("label", label);
    json.writeBooleanField("band", hasBand(line));
    json.writeStringField("color", color(LineStyle.color(group)));
    json.writeArrayFieldStart("dash");
    float[] dashes = LineStyle.line(group).getDashArray();
    for (float dash : dashes == null ? new float[0] : dashes) {
      json.writeNumber(2 * dash);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static boolean hasBand(Series line) {
    return line.points().stream().anyMatch(point -> point.low() < point.high());
  }

  /** For each x that a curve has, what its row has there; NaN of a curve that has no such point. */
  private static SortedMap<Double, double[]> rows(List<Series> series) {
    TreeMap<Double, double[]> rows = new TreeMap<>();
    int bands = (int) series.stream().filter(CurveData::hasBand).count();
    int edge = series.size();
    for (int i = 0; i < series.size(); i++) {
      boolean band = hasBand(series.get(i));
      for (Point point : M4.thin(series.get(i).points(), series.size())) {
        double[] row = rows.computeIfAbsent(point.x(), x -> absent(series.size() + 2 * bands));
        row[i] = point.y();
        if (band) {
          row[edge] = point.low();
          row[edge + 1] = point.high();
        }
      }
      edge += band ? 2 : 0;
    }
    return rows;
  }

  private static double[] absent(int count) {
    double[] row = new double[count];
    Arrays.fill(row, Double.NaN);
    return row;
  }

  private static String color(Color color) {
    return String.format(Locale.ROOT, "#%06x", color.getRGB() & 0xFFFFFF);
  }
}
