package io.github.amb.bench.harness;

import java.util.ArrayList;
import java.util.List;

/** Results in rows. A column's name is lower case, words joined by underscores, its unit last. */
public final class Table {
  private final String title;
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();

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
