package io.github.amb.bench.harness;

import io.github.amb.plots.TextTable;
import java.util.List;
import java.util.Locale;

/** A report as aligned text: samples as median and range. */
public final class TextReport {
  private TextReport() {}

  /** Converts a report; the text ends with a line feed. */
  public static String of(BenchmarkReport report) {
    StringBuilder text = new StringBuilder();
    report.tables().forEach(table -> append(table, text));
    report.targets().forEach(target -> append(target, text));
    report.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private static void append(Target target, StringBuilder text) {
    text.append("target: ").append(target.what()).append(' ').append(target.bound()).append(' ');
    text.append(number(target.limit())).append(": ").append(number(target.measured()));
    text.append(target.met() ? ", met\n" : ", MISSED\n");
  }

  private static void append(Table table, StringBuilder text) {
    List<TextTable.Column> columns =
        table.columns().stream()
            .map(name -> new TextTable.Column(name.replace('_', ' '), "", 0, false))
            .toList();
    List<List<String>> rows =
        table.rows().stream().map(row -> row.stream().map(TextReport::cell).toList()).toList();
    text.append(table.title()).append('\n');
    text.append(new TextTable(columns, rows).text(0).indent(2)).append('\n');
  }

  private static String cell(Object cell) {
    if (cell instanceof Sample sample) {
      return "%s (%s to %s)"
          .formatted(number(sample.median()), number(sample.min()), number(sample.max()));
    }
    if (cell instanceof Integer || cell instanceof Long) {
      return String.format(Locale.ROOT, "%,d", ((Number) cell).longValue());
    }
    return cell instanceof Number value ? number(value.doubleValue()) : cell.toString();
  }

  /**
   * Formats with three significant digits, more if there are more before the decimal point, without
   * exponent.
   */
  static String number(double value) {
    double size = Math.abs(value);
    if (!Double.isFinite(value) || size == 0) {
      return size == 0 ? "0" : Double.toString(value);
    }
    int decimals = (int) Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
