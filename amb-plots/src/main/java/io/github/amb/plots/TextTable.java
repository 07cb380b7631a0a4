package io.github.amb.plots;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A table of aligned columns. If it is wider than the terminal, columns of low weight are omitted,
 * and finally names in the first column are shortened in the middle.
 */
public final class TextTable {
  private static final String GAP = "  ";
  private static final String ELLIPSIS = "…";

  /** Minimum width of the first column, in characters. */
  private static final int SHORTEST_NAME = 16;

  /**
   * A column.
   *
   * @param heading first line of the heading
   * @param unit second line of the heading; may be empty
   * @param weight columns of lower weight are omitted first
   * @param text whether its cells are texts, which are aligned left; others are aligned right
   */
  public record Column(String heading, String unit, int weight, boolean text) {}

  private final List<Column> columns;
  private final List<List<String>> rows;

  /**
   * @param columns one or more
   * @param rows one cell per column
   */
  public TextTable(List<Column> columns, List<List<String>> rows) {
    this.columns = List.copyOf(columns);
    this.rows = List.copyOf(rows);
  }

  /**
   * Formats the table, and a line on omitted columns.
   *
   * @param width number of columns of the terminal; 0 for no limit
   */
  public String text(int width) {
    List<Integer> shown = fitting(width);
    int[] widths = shown.stream().mapToInt(this::width).toArray();
    if (width > 0) {
      int others = total(shown) - widths[0];
      widths[0] = Math.min(widths[0], Math.max(SHORTEST_NAME, width - others));
    }
    StringBuilder text = new StringBuilder();
    line(columns.stream().map(Column::heading).toList(), shown, widths, text);
    if (shown.stream().anyMatch(i -> !columns.get(i).unit.isEmpty())) {
      line(columns.stream().map(Column::unit).toList(), shown, widths, text);
    }
    rows.forEach(row -> line(row, shown, widths, text));
    if (shown.size() < columns.size()) {
      text.append(leftOut(shown));
    }
    return text.toString();
  }

  /** Indices of the columns that are shown. */
  private List<Integer> fitting(int width) {
    List<Integer> shown = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      shown.add(i);
    }
    List<Integer> order =
        shown.stream()
            .skip(1)
            .sorted(Comparator.comparingInt((Integer i) -> columns.get(i).weight))
            .toList();
    for (int i : order) {
      int name = Math.min(width(0), SHORTEST_NAME);
      if (width == 0 || total(shown) - width(0) + name <= width) {
        break;
      }
      shown.remove((Integer) i);
    }
    return shown;
  }

  private String leftOut(List<Integer> shown) {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < columns.size(); i++) {
      if (!shown.contains(i)) {
        names.add((columns.get(i).heading + " " + columns.get(i).unit).strip());
      }
    }
    return "Left out, as the terminal is narrow: " + String.join(", ", names) + ".\n";
  }

  private int width(int column) {
    int cells = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    Column of = columns.get(column);
    return Math.max(Math.max(of.heading.length(), of.unit.length()), cells);
  }

  private int total(List<Integer> shown) {
    return shown.stream().mapToInt(i -> width(i) + GAP.length()).sum() - GAP.length();
  }

  private void line(List<String> cells, List<Integer> shown, int[] widths, StringBuilder to) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = shortened(cells.get(shown.get(i)), widths[i]);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? "" : GAP);
      line.append(columns.get(shown.get(i)).text || i == 0 ? cell + padding : padding + cell);
    }
    to.append(line.toString().stripTrailing()).append('\n');
  }

  /** Removes the middle of a name, as names of runs differ at their ends. */
  static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int start = (most - 1) / 2;
    return text.substring(0, start) + ELLIPSIS + text.substring(text.length() - (most - 1 - start));
  }
}
