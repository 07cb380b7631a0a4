package io.github.amb.plots;

import io.github.amb.core.option.Decimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A table of aligned columns. If it is wider than the terminal, columns of low weight are omitted,
 * and finally names in the first column are shortened in the middle.
 *
 * @param <R> what a row is about
 */
public final class TextTable<R> {
  private static final String GAP = "  ";
  private static final String ELLIPSIS = "…";

  /** Minimum width of the first column, in characters. */
  private static final int SHORTEST_NAME = 16;

  /**
   * A column.
   *
   * @param <R> what a row is about
   * @param key what the user types
   * @param heading first line of the heading
   * @param unit second line of the heading; may be empty
   * @param weight columns of lower weight are omitted first
   * @param text whether its cells are texts, which are aligned left; others are aligned right
   * @param cell of a row
   * @param order what rows are sorted by; null for their texts
   */
  public record Column<R>(
      String key,
      String heading,
      String unit,
      int weight,
      boolean text,
      Function<R, String> cell,
      ToDoubleFunction<R> order) {
    /** Without a unit; numbers are sorted by their value. */
    public Column(String heading, int weight, boolean text, Function<R, String> cell) {
      this(heading, "", weight, text, cell);
    }

    /** Numbers are sorted by their value. */
    public Column(String heading, String unit, int weight, boolean text, Function<R, String> cell) {
      this(heading, heading, unit, weight, text, cell, text ? null : number(cell));
    }

    private static <R> ToDoubleFunction<R> number(Function<R, String> cell) {
      return row -> Decimal.any(cell.apply(row), Double.NaN);
    }

    /** The heading in one line. */
    public String title() {
      return (heading + " " + unit).strip();
    }
  }

  /** What a column shows: heading, unit, and a cell for each row. */
  private record Texts(Column<?> column, List<String> lines) {
    int width() {
      return lines.stream().mapToInt(String::length).max().orElseThrow();
    }
  }

  private final List<Texts> all = new ArrayList<>();

  /**
   * @param columns one or more
   */
  public TextTable(List<Column<R>> columns, List<R> rows) {
    for (Column<R> column : columns) {
      List<String> lines = new ArrayList<>(List.of(column.heading, column.unit));
      rows.forEach(row -> lines.add(column.cell.apply(row)));
      all.add(new Texts(column, lines));
    }
  }

  /**
   * Sorts rows by a column; what has no value comes last. Rows that are equal stay in their order.
   *
   * @param reverse whether the order of all that have a value is reversed
   */
  public static <R> List<R> sorted(List<R> rows, Column<R> by, boolean reverse) {
    List<R> sorted = new ArrayList<>(rows);
    sorted.sort(
        by.order == null ? Comparator.comparing(by.cell) : Comparator.comparingDouble(by.order));
    if (reverse) {
      Collections.reverse(sorted);
    }
    if (by.order != null) {
      sorted.sort(Comparator.comparing(row -> Double.isNaN(by.order.applyAsDouble(row))));
    }
    return sorted;
  }

  /**
   * Formats the table, and a line on omitted columns.
   *
   * @param width number of columns of the terminal; 0 for no limit
   */
  public String text(int width) {
    List<Texts> shown = fitting(width);
    int[] widths = shown.stream().mapToInt(Texts::width).toArray();
    if (width > 0) {
      int others = total(shown) - widths[0];
      widths[0] = Math.min(widths[0], Math.max(SHORTEST_NAME, width - others));
    }
    StringBuilder text = new StringBuilder();
    boolean units = shown.stream().anyMatch(texts -> !texts.column.unit.isEmpty());
    for (int i = 0; i < all.get(0).lines.size(); i++) {
      if (i != 1 || units) {
        text.append(line(i, shown, widths)).append('\n');
      }
    }
    TreeSet<String> leftOut = new TreeSet<>();
    all.stream().filter(t -> !shown.contains(t)).forEach(t -> leftOut.add(t.column.title()));
    if (!leftOut.isEmpty()) {
      text.append("Left out, as the terminal is narrow: " + String.join(", ", leftOut) + ".\n");
    }
    return text.toString();
  }

  /** The headings, with units, then the cells of each row. */
  public List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(all.stream().map(texts -> texts.column.title()).toList());
    for (int i = 2; i < all.get(0).lines.size(); i++) {
      int row = i;
      lines.add(all.stream().map(texts -> texts.lines.get(row)).toList());
    }
    return lines;
  }

  /** The columns that are shown. */
  private List<Texts> fitting(int width) {
    List<Texts> shown = new ArrayList<>(all);
    int saved = Math.max(0, all.get(0).width() - SHORTEST_NAME);
    List<Texts> order =
        all.stream().skip(1).sorted(Comparator.comparingInt(texts -> texts.column.weight)).toList();
    for (Texts texts : order) {
      if (width == 0 || total(shown) - saved <= width) {
        break;
      }
      shown.remove(texts);
    }
    return shown;
  }

  private static int total(List<Texts> shown) {
    return shown.stream().mapToInt(texts -> texts.width() + GAP.length()).sum() - GAP.length();
  }

  private static String line(int number, List<Texts> shown, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = shortened(shown.get(i).lines.get(number), widths[i]);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? "" : GAP);
      line.append(shown.get(i).column.text || i == 0 ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }

  /** Without its middle, as that is where long names of runs are alike. */
  static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int start = (most - 1) / 2;
    return text.substring(0, start) + ELLIPSIS + text.substring(text.length() - (most - 1 - start));
  }
}
