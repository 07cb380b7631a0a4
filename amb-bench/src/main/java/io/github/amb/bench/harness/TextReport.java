package io.github.amb.bench.harness;

import java.util.ArrayList;
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
    List<List<String>> lines = new ArrayList<>();
    lines.add(table.columns().stream().map(name -> name.replace('_', ' ')).toList());
    table.rows().forEach(row -> lines.add(row.stream().map(TextReport::cell).toList()));
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    text.append(table.title()).append('\n');
    lines.forEach(line -> append(line, widths, text));
    text.append('\n');
  }

  /** Appends a line with the first column aligned left and the others aligned right. */
  private static void append(List<String> line, int[] widths, StringBuilder text) {
    text.append("  ").append(String.format(Locale.ROOT, "%-" + widths[0] + "s", line.get(0)));
    for (int i = 1; i < widths.length; i++) {
      text.append("  ").append(String.format(Locale.ROOT, "%" + widths[i] + "s", line.get(i)));
    }
    text.append('\n');
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
