package io.github.amb.bench.harness;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results in rows. A column's name is lower case, words joined by underscores, its unit last.
 *
 * @param rows texts, numbers and {@link Sample}s by column, in the columns' order
 */
public record Table(
    String title, @JsonIgnore List<String> columns, List<Map<String, Object>> rows) {
  /**
   * A table without rows.
   *
   * @param columns their names, separated by spaces
   */
  public Table(String title, String columns) {
    this(title, List.of(columns.split(" ")), new ArrayList<>());
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
    Map<String, Object> row = new LinkedHashMap<>();
    for (Object cell : cells) {
      row.put(columns.get(row.size()), cell);
    }
    rows.add(row);
    return this;
  }
}
