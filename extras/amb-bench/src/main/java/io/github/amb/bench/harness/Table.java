package io.github.amb.bench.harness;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results in rows. A column's name is lower case, words joined by underscores, its unit last. */
@JsonPropertyOrder({"title", "axis", "rows"})
public final class Table {
  private final String title;
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();
  private String axis;

  /**
   * @param columns their names, separated by spaces
   */
  public Table(String title, String columns) {
    this.title = title;
    this.columns = List.of(columns.split(" "));
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
  @JsonProperty
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public String axis() {
    return axis;
  }

  @JsonProperty
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

  @JsonProperty("rows")
  private List<Map<String, Object>> cells() {
    List<Map<String, Object>> named = new ArrayList<>();
    for (List<Object> row : rows) {
      Map<String, Object> cells = new LinkedHashMap<>();
      row.forEach(cell -> cells.put(columns.get(cells.size()), cell));
      named.add(cells);
    }
    return named;
  }
}
