package io.github.amb.plots.summary;

import io.github.amb.plots.summary.SummaryColumns.Column;
import java.util.List;

/** A summary for a terminal. */
final class SummaryTable {
  private SummaryTable() {}

  static String of(Summary summary) {
    List<Column> columns = SummaryColumns.columns(summary);
    int[] widths = columns.stream().mapToInt(column -> column.width(summary.rows())).toArray();
    StringBuilder text = new StringBuilder();
    text.append(line(columns.stream().map(Column::heading).toList(), widths));
    text.append(line(columns.stream().map(Column::unit).toList(), widths));
    for (SummaryRow row : summary.rows()) {
      text.append(line(columns.stream().map(column -> column.cell().apply(row)).toList(), widths));
    }
    return text.append('\n')
        .append(String.join("\n", SummaryColumns.notes(summary)))
        .append('\n')
        .toString();
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? cells.get(i) + padding : "  " + padding + cells.get(i));
    }
    return line.toString().stripTrailing() + "\n";
  }
}
