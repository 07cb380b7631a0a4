package io.github.amb.plots.summary;

import io.github.amb.plots.LatexTable;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.util.ArrayList;
import java.util.List;

/** A summary for a terminal or a paper. */
public final class SummaryTable {
  private SummaryTable() {}

  /** The table, and what explains it. */
  public static String of(Summary summary, SummaryView view) {
    String table = table(summary, view).text(view.width());
    return table + "\n" + String.join("\n", SummaryColumns.notes(summary)) + "\n";
  }

  /** The table for LaTeX, whatever the terminal's width, and what explains it as comments. */
  public static String latex(Summary summary, SummaryView view) {
    return "% \\usepackage{booktabs}\n"
        + LatexTable.of(table(summary, view).lines())
        + "% "
        + String.join("\n% ", SummaryColumns.notes(summary))
        + "\n";
  }

  private static TextTable<SummaryGroup> table(Summary summary, SummaryView view) {
    List<Column<SummaryGroup>> columns = SummaryColumns.columns(summary);
    return new TextTable<>(chosen(columns, view.columns()), rows(summary, columns, view));
  }

  private static List<Column<SummaryGroup>> chosen(
      List<Column<SummaryGroup>> all, List<String> keys) {
    if (keys.isEmpty()) {
      return all;
    }
    List<Column<SummaryGroup>> chosen = new ArrayList<>(all.subList(0, 1));
    for (String key : keys) {
      all.stream().skip(1).filter(column -> column.key().equals(key)).forEach(chosen::add);
    }
    return chosen;
  }

  /** Without a column to sort by, the first one, which leaves rows in their order. */
  private static List<SummaryGroup> rows(
      Summary summary, List<Column<SummaryGroup>> columns, SummaryView view) {
    Column<SummaryGroup> by =
        columns.stream()
            .filter(column -> column.key().equals(view.sort()))
            .reduce(columns.get(0), (first, last) -> last);
    return TextTable.sorted(view.each() ? each(summary) : summary.groups(), by, view.reverse());
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
