package io.github.amb.runtime.runs;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Runs as tables: one row each, or one column each of what they differ in. */
final class RunTable {
  private static final List<Column<RunEntry>> COLUMNS =
      List.of(
          new Column<>("run", 100, true, RunEntry::name),
          new Column<>("started", 60, true, RunEntry::started),
          new Column<>("state", 90, true, RunEntry::state),
          configured("data-set", 40, true),
          configured("scheme", 45, true),
          configured("network", 42, true),
          configured("workers", 30, false),
          configured("seed", 35, false),
          new Column<>("steps", 70, false, RunEntry::steps),
          new Column<>("time", "(s)", 50, false, RunEntry::seconds),
          new Column<>("accuracy", 80, false, RunEntry::accuracy),
          new Column<>("loss", 44, false, RunEntry::loss),
          configured("tag", 65, true),
          new Column<>("note", 20, true, RunEntry::note));

  private static final Set<String> RESULTS = Set.of("state", "steps", "time", "accuracy");

  private RunTable() {}

  private static Column<RunEntry> configured(String option, int weight, boolean text) {
    return new Column<>(option, weight, text, run -> run.configured(option));
  }

  /** Names of the columns, by which a list can be sorted. */
  static List<String> columns() {
    return COLUMNS.stream().map(Column::key).toList();
  }

  /**
   * The runs by a column; numbers by their size, a run without a value last.
   *
   * @param reverse whether the order of the others is reversed
   * @throws UsageException if there is no such column
   */
  static List<RunEntry> sorted(List<RunEntry> runs, String by, boolean reverse) {
    Suggestion.expectKnown("--sort: unknown column", by, columns());
    return TextTable.sorted(runs, COLUMNS.get(columns().indexOf(by)), reverse);
  }

  /**
   * The list.
   *
   * @param width columns of the terminal; 0 for no limit
   */
  static String list(List<RunEntry> runs, int width) {
    return new TextTable<>(COLUMNS, runs).text(width);
  }

  /** The cells of a run by the names of their columns. */
  static Map<String, Object> cells(RunEntry run) {
    Map<String, Object> cells = new LinkedHashMap<>();
    COLUMNS.forEach(column -> cells.put(column.key(), column.cell().apply(run)));
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
    for (Column<RunEntry> column : COLUMNS) {
      if (RESULTS.contains(column.key())) {
        rows.add(row(column.title(), runs.stream().map(column.cell()).toList()));
      }
    }
    List<Column<List<String>>> columns = new ArrayList<>();
    columns.add(new Column<>("", runs.size() + 1, true, row -> row.get(0)));
    for (int i = 1; i <= runs.size(); i++) {
      int place = i;
      String name = runs.get(i - 1).name();
      columns.add(new Column<>(name, runs.size() - i + 1, true, row -> row.get(place)));
    }
    return new TextTable<>(columns, rows).text(width);
  }

  private static List<String> row(String name, List<String> values) {
    List<String> row = new ArrayList<>(List.of(name));
    row.addAll(values);
    return row;
  }
}
