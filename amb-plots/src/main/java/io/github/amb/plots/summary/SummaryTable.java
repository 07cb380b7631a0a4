package io.github.amb.plots.summary;

import io.github.amb.plots.TextTable;
import io.github.amb.plots.summary.SummaryColumns.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** A summary for a terminal. */
final class SummaryTable {
  private SummaryTable() {}

  static String of(Summary summary, SummaryView view) {
    List<Column> columns = chosen(SummaryColumns.columns(summary), view.columns());
    List<List<String>> rows =
        rows(summary, view).stream()
            .map(row -> columns.stream().map(column -> column.cell().apply(row)).toList())
            .toList();
    String table =
        new TextTable(columns.stream().map(SummaryTable::column).toList(), rows).text(view.width());
    return table + "\n" + String.join("\n", SummaryColumns.notes(summary)) + "\n";
  }

  private static TextTable.Column column(Column column) {
    boolean text = List.of("run", SummaryColumns.STATE).contains(column.key());
    return new TextTable.Column(column.heading(), column.unit(), column.weight(), text);
  }

  private static List<Column> chosen(List<Column> all, List<String> keys) {
    if (keys.isEmpty()) {
      return all;
    }
    List<Column> chosen = new ArrayList<>(all.subList(0, 1));
    for (String key : keys) {
      all.stream().skip(1).filter(column -> column.key().equals(key)).forEach(chosen::add);
    }
    return chosen;
  }

  /** The sort is stable, and what has no value comes last. */
  private static List<SummaryGroup> rows(Summary summary, SummaryView view) {
    List<SummaryGroup> rows = new ArrayList<>(view.each() ? each(summary) : summary.groups());
    List<Column> order =
        SummaryColumns.columns(summary).stream()
            .filter(column -> column.key().equals(view.sort()))
            .toList();
    order.forEach(column -> rows.sort(Comparator.comparingDouble(column.order())));
    if (view.reverse()) {
      Collections.reverse(rows);
    }
    order.forEach(
        column ->
            rows.sort(
                Comparator.comparing(row -> Double.isNaN(column.order().applyAsDouble(row)))));
    return rows;
  }

  private static List<SummaryGroup> each(Summary summary) {
    List<SummaryRow> one = List.of(summary.rows().get(summary.baseline()));
    List<SummaryRow> all = summary.groups().get(0).baseline();
    return summary.rows().stream()
        .map(
            row -> {
              boolean paired = all.stream().anyMatch(base -> base.seed() == row.seed());
              return new SummaryGroup(row.run(), List.of(row), paired ? all : one);
            })
        .toList();
  }
}
