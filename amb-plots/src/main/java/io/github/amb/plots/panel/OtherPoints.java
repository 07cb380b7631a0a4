package io.github.amb.plots.panel;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.CsvLine;
import io.github.amb.plots.PlainText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Points that are not of runs, such as those of a paper, to be drawn beside runs. */
public final class OtherPoints {
  private static final List<String> HEADER = List.of("panel", "run", "x", "y");
  private static final int MAX_SHOWN = 60;

  /** By what the legend calls them, then by the panel's name. */
  private final Map<String, Map<String, List<Point>>> lines = new LinkedHashMap<>();

  private OtherPoints() {}

  /**
   * Reads a file with the columns panel, run, x and y. A run is what the legend is to have.
   *
   * @throws UsageException if a line has anything else; the message names file and line
   */
  public static OtherPoints read(Path file) throws IOException {
    byte[] bytes = BoundedFile.read(file, "points", DataLimits.LOG_BYTES);
    List<List<String>> text = CsvLine.read(new String(bytes, StandardCharsets.UTF_8), file);
    if (text.isEmpty() || !text.get(0).equals(HEADER)) {
      throw new UsageException(
          "%s line 1: expected %s, found another header", file, String.join(",", HEADER));
    }
    OtherPoints points = new OtherPoints();
    for (int i = 1; i < text.size(); i++) {
      points.add(text.get(i), file + " line " + (i + 1));
    }
    points.lines.values().stream()
        .flatMap(panels -> panels.values().stream())
        .forEach(line -> line.sort(Comparator.comparingDouble(Point::x)));
    return points;
  }

  private void add(List<String> fields, String place) {
    try {
      double x = Decimal.real(fields.get(2).strip());
      double y = Decimal.real(fields.get(3).strip());
      if (fields.size() == HEADER.size()) {
        lines
            .computeIfAbsent(fields.get(1), label -> new LinkedHashMap<>())
            .computeIfAbsent(fields.get(0), panel -> new ArrayList<>())
            .add(new Point(x, y));
        return;
      }
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      // Told below.
    }
    throw new UsageException(
        "%s: expected a panel, a run and two numbers, found %s",
        place, PlainText.shortened(String.join(",", fields), MAX_SHOWN));
  }

  /** A drawing with the points of its panels; a single point is a dot, several are a line. */
  public Drawing beside(Drawing drawing) {
    List<String> labels = new ArrayList<>(drawing.labels());
    List<Content> contents = new ArrayList<>(drawing.contents());
    lines.forEach(
        (label, panels) -> {
          if (contents.stream().anyMatch(one -> panels.containsKey(one.frame().name()))) {
            int style = SchemeStyles.unused(contents);
            contents.replaceAll(one -> with(one, labels.size(), style, panels));
            labels.add(label);
          }
        });
    return new Drawing(contents, labels, drawing.caption(), drawing.notes(), drawing.title());
  }

  private static Content with(
      Content content, int group, int style, Map<String, List<Point>> panels) {
    List<Point> points = panels.get(content.frame().name());
    if (points == null) {
      return content;
    }
    List<Series> series = new ArrayList<>(content.series());
    series.add(new Series(group, style, points));
    return new Content(content.frame(), series);
  }
}
