package io.github.amb.bench.harness;

import static io.github.amb.core.option.Decimal.format;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of a benchmark.
 *
 * @param tables results
 * @param targets comparisons with targets; may be empty
 * @param notes how it was measured and what the columns mean, one sentence each
 * @param data additional results for the JSON file only, by key
 */
public record BenchmarkReport(
    List<Table> tables, List<Target> targets, List<String> notes, Map<String, Object> data) {
  /** Writes JSON as people read it. */
  public static final ObjectWriter JSON =
      JsonMapper.builder().build().writerWithDefaultPrettyPrinter();

  /** A report without additional data. */
  public BenchmarkReport(List<Table> tables, List<Target> targets, List<String> notes) {
    this(tables, targets, notes, Map.of());
  }

  /**
   * Writes one JSON object: samples with median, 90th percentile, minimum, maximum, count.
   *
   * @param head fields before the results: benchmark, arguments, machine; not modified
   */
  public void write(Path file, Map<String, Object> head) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>(head);
    all.put("tables", tables);
    all.put("targets", targets);
    all.put("notes", notes);
    all.putAll(data);
    Files.writeString(file, JSON.writeValueAsString(all) + "\n");
  }

  /** Aligned text, samples as median and range; ends with a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder();
    tables.forEach(table -> append(table, text));
    for (Target target : targets) {
      String limit = target.bound() + " " + number(target.limit());
      String met = target.met() ? ", met\n" : ", MISSED\n";
      text.append(
          "target: " + target.what() + " " + limit + ": " + number(target.measured()) + met);
    }
    notes.forEach(note -> text.append("note: " + note + "\n"));
    return text.toString();
  }

  private static void append(Table table, StringBuilder text) {
    List<Column<Map<String, Object>>> columns = new ArrayList<>();
    for (String name : table.columns()) {
      columns.add(new Column<>(name.replace('_', ' '), 0, false, row -> cell(row.get(name))));
    }
    String lines = new TextTable<>(columns, table.rows()).text(0);
    text.append(table.title() + "\n" + lines.indent(2) + "\n");
  }

  private static String cell(Object cell) {
    if (cell instanceof Sample sample) {
      return "%s (%s to %s)"
          .formatted(number(sample.median()), number(sample.min()), number(sample.max()));
    }
    if (cell instanceof Integer || cell instanceof Long) {
      return format("%,d", ((Number) cell).longValue());
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
    return format("%,." + decimals + "f", value);
  }
}
