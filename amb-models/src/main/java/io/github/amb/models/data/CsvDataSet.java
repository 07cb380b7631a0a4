package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/**
 * Examples in a text file, one per line: label, then features. The separator is a comma, semicolon
 * or tab, as in the first line. A first line without any number has column names.
 */
final class CsvDataSet extends UserDataSet {
  /** Includes words that mean numbers, so that they are rejected as data. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "[-+]?(nan|inf|infinity|(\\d+\\.?\\d*|\\.\\d+)(e[-+]?\\d+)?)", Pattern.CASE_INSENSITIVE);

  /** Bytes of memory per value: as it is read, as a float among all others, and as a byte. */
  private static final int VALUE_BYTES = 2 * Float.BYTES + 1;

  CsvDataSet(Path path) {
    super(path);
  }

  @Override
  String form() {
    return isCompressed() ? "csv.gz" : "csv";
  }

  private boolean isCompressed() {
    return path().toString().endsWith(".gz");
  }

  @Override
  DecodedSet read() throws IOException {
    List<float[]> rows = new ArrayList<>();
    try (TextLines lines = new TextLines(path(), isCompressed())) {
      String separator = null;
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.isBlank()) {
          continue;
        }
        boolean first = separator == null;
        separator = first ? separator(line) : separator;
        String[] cells = cells(line, separator);
        if (!(first && isHeader(cells))) {
          expectRoom(rows, cells.length);
          rows.add(row(cells, lines.number(), rows.isEmpty() ? -1 : rows.get(0).length));
        }
      }
    }
    if (rows.isEmpty()) {
      throw new UsageException("%s: expected a line per example, found none".formatted(path()));
    }
    return pack(rows);
  }

  private static String separator(String line) {
    return line.contains(";") ? ";" : line.contains("\t") ? "\t" : ",";
  }

  private static String[] cells(String line, String separator) {
    String[] cells = line.split(separator, -1);
    Arrays.setAll(cells, i -> cells[i].strip());
    return cells;
  }

  private static boolean isHeader(String[] cells) {
    return cells.length > 1
        && Arrays.stream(cells).noneMatch(cell -> NUMBER.matcher(cell).matches());
  }

  private void expectRoom(List<float[]> rows, int columns) {
    long values = (rows.size() + 1L) * columns;
    if (values * Float.BYTES > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected examples of at most %d bytes as floats, found more than %d lines of %d values"
              .formatted(path(), DataLimits.EXAMPLE_BYTES, rows.size(), columns));
    }
    BoundedFile.requireMemory(path().toString(), values * VALUE_BYTES);
  }

  private float[] row(String[] cells, int line, int expected) {
    if (cells.length < 2 || expected >= 0 && cells.length != expected) {
      throw new UsageException(
          "%s: line %d: expected %s, found %d"
              .formatted(
                  path(),
                  line,
                  expected < 0
                      ? "a label and features, with commas, semicolons or tabs between them"
                      : expected + " values as before",
                  cells.length));
    }
    float[] values = new float[cells.length];
    values[0] = label(cells[0], line);
    for (int i = 1; i < cells.length; i++) {
      values[i] = number(cells[i], line, i + 1);
    }
    return values;
  }

  /** Parses a label: an integer that a float can represent. */
  private float label(String text, int line) {
    double label = value(text, Double::parseDouble);
    // NaN is not an integer, either.
    if (label != Math.rint(label) || Math.abs(label) > 1 << 24) {
      String hint = line == 1 ? " (a line of column names has no number)" : "";
      throw new UsageException(
          "%s: line %d, column 1: expected a label, a whole number from 0, found '%s'%s"
              .formatted(path(), line, Shown.text(text), hint));
    }
    return (float) label;
  }

  private float number(String text, int line, int column) {
    float value = (float) value(text, Float::parseFloat);
    if (Float.isFinite(value)) {
      return value;
    }
    throw new UsageException(
        "%s: line %d, column %d: expected a finite number, found '%s'"
            .formatted(path(), line, column, Shown.text(text)));
  }

  /** Parses a number; NaN if the text is not one. */
  private static double value(String number, ToDoubleFunction<String> parser) {
    try {
      return parser.applyAsDouble(number);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private DecodedSet pack(List<float[]> rows) {
    int size = rows.get(0).length - 1;
    float[] features = new float[Math.multiplyExact(rows.size(), size)];
    long[] labels = new long[rows.size()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (long) rows.get(i)[0];
      System.arraycopy(rows.get(i), 1, features, i * size, size);
    }
    int classes = ExampleArrays.classes(path().toString(), labels);
    StoredExamples all = ExampleArrays.pack(path().toString(), features, labels, classes);
    return split(ExampleArrays.shape(size), classes, all);
  }
}
