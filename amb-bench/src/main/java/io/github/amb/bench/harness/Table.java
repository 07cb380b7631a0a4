package io.github.amb.bench.harness;

import java.util.ArrayList;
import java.util.List;

/** Results in rows. A column's name is lower case, words joined by underscores, its unit last. */
public final class Table {
  private final String title;
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();
  private String axis;

  public Table(String title, String... columns) {
    this.title = title;
    this.columns = List.of(columns);
  }

  /**
   * Adds a row.
   *
   * @param cells texts, numbers and {@link Sample}s, one per column
   * @throws IllegalArgumentException if there are more or fewer cells than columns
   */
  public Table row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "%s: expected %d cells, found %d".formatted(title, columns.size(), cells.length));
    }
    rows.add(List.of(cells));
    return this;
  }

  /**
   * Sets the column on a figure's x axis; the default is the first one of integers.
   *
   * @throws IllegalArgumentException if there is no such column
   */
  public Table against(String column) {
    if (!columns.contains(column)) {
      throw new IllegalArgumentException(
          "%s: expected one of the columns %s, found %s".formatted(title, columns, column));
    }
    axis = column;
    return this;
  }

  /** The column on a figure's x axis; null for the default. */
  public String axis() {
    return axis;
  }

  public String title() {
    return title;
  }

  public List<String> columns() {
    return columns;
  }

  /** The rows, each with one cell per column. */
  public List<List<Object>> rows() {
    return List.copyOf(rows);
  }
}
