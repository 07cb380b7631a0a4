package io.github.amb.runtime.runs;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.TextTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** Runs as tables: one row each, or one column each of what they differ in. */
final class RunTable {
  /** A column by its name on the command line. */
  private record Column(String name, int weight, boolean text, Function<RunEntry, String> cell) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("run", 100, true, RunEntry::name),
          new Column("started", 60, true, RunEntry::started),
          new Column("state", 90, true, RunEntry::state),
          new Column("data-set", 40, true, run -> run.configured("data-set")),
          new Column("scheme", 45, true, run -> run.configured("scheme")),
          new Column("network", 42, true, run -> run.configured("network")),
          new Column("workers", 30, false, run -> run.configured("workers")),
          new Column("seed", 35, false, run -> run.configured("seed")),
          new Column("steps", 70, false, RunEntry::steps),
          new Column("time", 50, false, RunEntry::seconds),
          new Column("accuracy", 80, false, RunEntry::accuracy),
          new Column("loss", 44, false, RunEntry::loss),
          new Column("tag", 65, true, run -> run.configured("tag")),
          new Column("note", 20, true, RunEntry::note));

  private RunTable() {}

  /** Names of the columns, by which a list can be sorted. */
  static List<String> columns() {
    return COLUMNS.stream().map(Column::name).toList();
  }

  /**
   * The runs by a column; numbers by their size, a run without a value last.
   *
   * @param reverse whether the order of the others is reversed
   * @throws UsageException if there is no such column
   */
  static List<RunEntry> sorted(List<RunEntry> runs, String by, boolean reverse) {
    Suggestion.expectKnown("--sort: unknown column", by, columns());
    Column column = COLUMNS.get(columns().indexOf(by));
    Comparator<RunEntry> order =
        column.text
            ? Comparator.comparing(column.cell)
            : Comparator.comparingDouble(run -> number(column.cell.apply(run)));
    List<RunEntry> sorted = new ArrayList<>(runs);
    sorted.sort(order);
    if (reverse) {
      Collections.reverse(sorted);
    }
    if (!column.text) {
      sorted.sort(Comparator.comparing(run -> Double.isNaN(number(column.cell.apply(run)))));
    }
    return sorted;
  }

  private static double number(String cell) {
    return Decimal.any(cell, Double.NaN);
  }

  /**
   * One row for each run.
   *
   * @param width columns of the terminal; 0 for no limit
   */
  static String list(List<RunEntry> runs, int width) {
    List<TextTable.Column> columns =
        COLUMNS.stream()
            .map(
                c ->
                    new TextTable.Column(
                        c.name, c.name.equals("time") ? "(s)" : "", c.weight, c.text))
            .toList();
    List<List<String>> rows =
        runs.stream().map(run -> COLUMNS.stream().map(c -> c.cell.apply(run)).toList()).toList();
    return new TextTable(columns, rows).text(width);
  }

  /** The cells of a run by the names of their columns. */
  static Map<String, Object> cells(RunEntry run) {
    Map<String, Object> cells = new LinkedHashMap<>();
    COLUMNS.forEach(column -> cells.put(column.name, column.cell.apply(run)));
    return cells;
  }

  /** One column for each run, one row for each option that is not the same in all. */
  static String differences(List<RunEntry> runs, int width) {
    TreeSet<String> options = new TreeSet<>();
    runs.forEach(run -> options.addAll(run.info().configuration().keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String option : options) {
      List<String> values = runs.stream().map(run -> run.configured(option)).toList();
      if (values.stream().distinct().count() > 1) {
        rows.add(row("--" + option, values));
      }
    }
    rows.add(row("state", runs.stream().map(RunEntry::state).toList()));
    rows.add(row("steps", runs.stream().map(RunEntry::steps).toList()));
    rows.add(row("time (s)", runs.stream().map(RunEntry::seconds).toList()));
    rows.add(row("accuracy", runs.stream().map(RunEntry::accuracy).toList()));
    List<TextTable.Column> columns = new ArrayList<>();
    columns.add(new TextTable.Column("", "", runs.size() + 1, true));
    for (int i = 0; i < runs.size(); i++) {
      columns.add(new TextTable.Column(runs.get(i).name(), "", runs.size() - i, true));
    }
    return new TextTable(columns, rows).text(width);
  }

  private static List<String> row(String name, List<String> values) {
    List<String> row = new ArrayList<>(List.of(name));
    row.addAll(values);
    return row;
  }
}
