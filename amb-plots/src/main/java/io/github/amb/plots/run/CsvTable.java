package io.github.amb.plots.run;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.CsvLine;
import io.github.amb.plots.PlainText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file of numbers separated by commas, with a header. An incomplete last line, left by a crash,
 * is ignored.
 */
public final class CsvTable {
  private static final int MAX_SHOWN = 60;

  private final List<String> columns;
  private final List<double[]> rows = new ArrayList<>();

  private CsvTable(List<String> columns) {
    this.columns = columns;
  }

  /**
   * Reads a file; an empty field is NaN. A missing or empty file has no columns and no rows.
   *
   * @throws UsageException if a line has anything but numbers, or too few; the message names file
   *     and line
   */
  public static CsvTable read(Path file) throws IOException {
    String text = Files.exists(file) ? text(file) : "";
    List<List<String>> lines = CsvLine.read(text.substring(0, text.lastIndexOf('\n') + 1), file);
    if (lines.isEmpty()) {
      return new CsvTable(List.of());
    }
    CsvTable table = new CsvTable(lines.get(0));
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).equals(List.of(""))) {
        table.rows.add(table.row(lines.get(i), file, i + 1));
      }
    }
    return table;
  }

  private static String text(Path file) throws IOException {
    byte[] bytes = BoundedFile.read(file, "a table", DataLimits.LOG_BYTES);
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private double[] row(List<String> fields, Path file, int number) {
    double[] row = new double[columns.size()];
    try {
      Arrays.setAll(row, i -> number(fields.get(i).strip()));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new UsageException(
          "%s line %d: expected %d numbers separated by commas, found %s",
          file, number, columns.size(), PlainText.shortened(String.join(",", fields), MAX_SHOWN));
    }
    return row;
  }

  private static double number(String field) {
    double value = Decimal.any(field, Double.NaN);
    if (Double.isNaN(value) && !field.isEmpty() && !field.equals("NaN")) {
      throw new NumberFormatException(field);
    }
    return value;
  }

  /** Number of rows. */
  public int size() {
    return rows.size();
  }

  /** The number in the first of some columns that the file has, or {@code otherwise}. */
  public double value(int row, double otherwise, String... names) {
    for (String name : names) {
      int column = columns.indexOf(name);
      if (column >= 0) {
        return rows.get(row)[column];
      }
    }
    return otherwise;
  }
}
