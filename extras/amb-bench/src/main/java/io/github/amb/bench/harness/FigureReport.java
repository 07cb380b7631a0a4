package io.github.amb.bench.harness;

import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Scale;
import io.github.amb.plots.panel.Series;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report's tables as panels, one per column of samples. The x axis is the table's axis or, by
 * default, its first column of integers. Each text before it is a line; without such a column there
 * are bars. Many texts at few integers are rows with a marker for each integer, as so many lines
 * cannot be told apart. If there are several tables, a panel has the name of its table.
 */
public final class FigureReport {
  /** Minimum ratio of the largest to the smallest value for a logarithmic axis. */
  private static final double WIDE = 20;

  /** Maximum number of lines that can be told apart. */
  private static final int MAX_LINES = 7;

  /** Maximum number of markers in a row. */
  private static final int MAX_MARKERS = 4;

  /** Distance between the markers of a row, in rows. */
  private static final double BESIDE = 0.22;

  private final List<Content> contents = new ArrayList<>();
  private final Map<String, Integer> groups = new LinkedHashMap<>();
  private final boolean single;

  private FigureReport(BenchmarkReport report) {
    single = report.tables().size() == 1;
  }

  /** Creates the panels; none if no table has samples. */
  public static Drawing of(BenchmarkReport report) {
    FigureReport figure = new FigureReport(report);
    report.tables().forEach(figure::add);
    return new Drawing(
        figure.contents,
        List.copyOf(figure.groups.keySet()),
        "Median over repeats; bands and whiskers: minimum to maximum.",
        List.of());
  }

  private void add(Table table) {
    if (table.rows().isEmpty()) {
      return;
    }
    int x = wholeColumn(table);
    for (int column = 0; column < table.columns().size(); column++) {
      if (table.rows().get(0).get(column) instanceof Sample) {
        contents.add(
            x < 0
                ? bars(table, column)
                : isCrowded(table, x) ? rows(table, column) : lines(table, x, column));
      }
    }
  }

  private static int wholeColumn(Table table) {
    if (table.axis() != null) {
      return table.columns().indexOf(table.axis());
    }
    List<Object> row = table.rows().get(0);
    for (int i = 0; i < row.size() && !(row.get(i) instanceof Sample); i++) {
      if (row.get(i) instanceof Integer || row.get(i) instanceof Long) {
        return i;
      }
    }
    return -1;
  }

  private int group(String name) {
    return groups.computeIfAbsent(name, key -> groups.size());
  }

  private static boolean isCrowded(Table table, int x) {
    return x == 1 && values(table, 0).size() > MAX_LINES && values(table, 1).size() <= MAX_MARKERS;
  }

  private static List<Object> values(Table table, int column) {
    return table.rows().stream().map(row -> row.get(column)).distinct().toList();
  }

  private Content rows(Table table, int column) {
    List<Object> names = values(table, 0);
    List<Object> markers = values(table, 1);
    Map<Integer, List<Point>> points = new LinkedHashMap<>();
    for (List<Object> row : table.rows()) {
      double place = (markers.indexOf(row.get(1)) - (markers.size() - 1) / 2.0) * BESIDE;
      String marker =
          String.format(Locale.ROOT, "%,d %s", ((Number) row.get(1)).longValue(), label(table, 1));
      points
          .computeIfAbsent(group(marker), key -> new ArrayList<>())
          .add(point(names.indexOf(row.get(0)) + place, row.get(column), 0));
    }
    List<Series> series = series(points);
    Axes frame =
        Axes.linear(
                name(table, column),
                Quantity.NOTHING,
                Quantity.real(below(table, label(table, column))),
                Mark.ROWS,
                true)
            .withXNames(names.stream().map(Object::toString).toList());
    return new Content(frame.scaled(Scale.LINEAR, scale(series)), series);
  }

  private static Point point(double x, Object cell, double width) {
    Sample sample = (Sample) cell;
    return new Point(x, sample.median(), sample.min(), sample.max(), width);
  }

  private static List<Series> series(Map<Integer, List<Point>> byGroup) {
    return byGroup.entrySet().stream()
        .map(group -> new Series(group.getKey(), group.getValue()))
        .toList();
  }

  private Content lines(Table table, int x, int column) {
    Map<Integer, List<Point>> lines = new LinkedHashMap<>();
    for (List<Object> row : table.rows()) {
      String before = before(table, row, x);
      lines
          .computeIfAbsent(
              group(before.isEmpty() ? table.title() : before), key -> new ArrayList<>())
          .add(point(((Number) row.get(x)).doubleValue(), row.get(column), 0));
    }
    List<Series> series = series(lines);
    Axes frame =
        Axes.linear(
            name(table, column),
            Quantity.whole(below(table, label(table, x))),
            Quantity.real(label(table, column)),
            Mark.DOTS,
            true);
    boolean positive = series.stream().flatMap(s -> s.points().stream()).allMatch(p -> p.x() > 0);
    return new Content(frame.scaled(positive ? Scale.LOG2 : Scale.LINEAR, scale(series)), series);
  }

  /** The label of a row's line: the cells before the axis, numbers with their column. */
  private static String before(Table table, List<Object> row, int x) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < x; i++) {
      Object cell = row.get(i);
      words.add(cell instanceof Number ? label(table, i) + " " + cell : cell.toString());
    }
    return String.join(", ", words);
  }

  /** A logarithmic one where small values would look like zero on a linear axis. */
  private static Scale scale(List<Series> lines) {
    DoubleSummaryStatistics values =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Point::y)
            .summaryStatistics();
    boolean wide = values.getMin() > 0 && values.getMax() > WIDE * values.getMin();
    return wide ? Scale.LOG10 : Scale.LINEAR;
  }

  private Content bars(Table table, int column) {
    List<Point> bars = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      bars.add(point(names.size() - 0.4, row.get(column), 0.8));
      names.add(row.get(0).toString());
    }
    Axes frame =
        Axes.linear(
                name(table, column),
                Quantity.NOTHING,
                Quantity.real(label(table, column)),
                Mark.BARS,
                true)
            .withXNames(names);
    return new Content(frame, List.of(new Series(group(table.title()), bars)));
  }

  /** The axis' name, with the table's name if there are several. */
  private String below(Table table, String axis) {
    return single ? axis : axis + ", " + table.title();
  }

  private static String name(Table table, int column) {
    return (table.title() + " " + table.columns().get(column)).replaceAll("[^A-Za-z0-9]+", "_");
  }

  private static String label(Table table, int column) {
    return table.columns().get(column).replace('_', ' ');
  }
}
