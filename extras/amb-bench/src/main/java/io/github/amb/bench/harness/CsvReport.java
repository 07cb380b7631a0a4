package io.github.amb.bench.harness;

import io.github.amb.plots.CsvLine;
import java.util.ArrayList;
import java.util.List;

/**
 * A report's tables as comma-separated values, separated by empty lines. A sample has three
 * columns: its median, minimum and maximum.
 */
public final class CsvReport {
  private CsvReport() {}

  /** Converts the tables. */
  public static String of(BenchmarkReport report) {
    List<String> tables = report.tables().stream().map(CsvReport::table).toList();
    return String.join("\n", tables);
  }

  private static String table(Table table) {
    List<String> header = new ArrayList<>(List.of("table"));
    for (int i = 0; i < table.columns().size(); i++) {
      String column = table.columns().get(i);
      header.add(column);
      if (isSample(table, i)) {
        header.addAll(List.of(column + "_min", column + "_max"));
      }
    }
    return CsvLine.table(header, table.rows().stream().map(row -> fields(table.title(), row)));
  }

  private static List<Object> fields(String title, List<Object> row) {
    List<Object> fields = new ArrayList<>(List.of(title));
    for (Object cell : row) {
      if (cell instanceof Sample sample) {
        fields.addAll(List.of(sample.median(), sample.min(), sample.max()));
      } else {
        fields.add(cell);
      }
    }
    return fields;
  }

  private static boolean isSample(Table table, int column) {
    return table.rows().stream().anyMatch(row -> row.get(column) instanceof Sample);
  }
}
