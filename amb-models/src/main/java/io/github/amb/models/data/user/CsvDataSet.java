package io.github.amb.models.data.user;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import io.github.amb.models.data.cache.DecodedSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.StoredExamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Examples in a text file, one per line: label, then features. The separator is a comma, semicolon
 * or tab, as in the first line. A first line without any number has column names. Labels are whole
 * numbers, or texts, whose order is that of their characters.
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
    CsvLabels labels = new CsvLabels(path());
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
          expectCells(cells, lines.number(), rows);
          labels.add(cells[0], NUMBER.matcher(cells[0]).matches(), lines.number());
          rows.add(features(cells, lines.number()));
        }
      }
    }
    if (rows.isEmpty()) {
      throw new UsageException("%s: expected a line per example, found none".formatted(path()));
    }
    return pack(rows, labels.classes());
  }

  private static String separator(String line) {
    return line.contains(";") ? ";" : line.contains("\t") ? "\t" : ",";
  }

  private static String[] cells(String line, String separator) {
    String[] cells = line.split(separator, -1);
    Arrays.setAll(cells, i -> unquoted(cells[i].strip()));
    return cells;
  }

  private static String unquoted(String cell) {
    boolean quoted = cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"");
    return quoted ? cell.substring(1, cell.length() - 1) : cell;
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

  private void expectCells(String[] cells, int line, List<float[]> rows) {
    int expected = rows.isEmpty() ? -1 : rows.get(0).length + 1;
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
  }

  private float[] features(String[] cells, int line) {
    float[] values = new float[cells.length - 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = number(cells[i + 1], line, i + 2);
    }
    return values;
  }

  private float number(String text, int line, int column) {
    float value = value(text);
    if (Float.isFinite(value)) {
      return value;
    }
    throw new UsageException(
        "%s: line %d, column %d: expected a finite number, found '%s'"
            .formatted(path(), line, column, Shown.text(text)));
  }

  /** Parses a number; NaN if the text is not one. */
  private static float value(String number) {
    try {
      return Float.parseFloat(number);
    } catch (NumberFormatException e) {
      return Float.NaN;
    }
  }

  private DecodedSet pack(List<float[]> rows, long[] labels) {
    int size = rows.get(0).length;
    float[] features = new float[Math.multiplyExact(rows.size(), size)];
    for (int i = 0; i < labels.length; i++) {
      System.arraycopy(rows.get(i), 0, features, i * size, size);
    }
    int classes = ExampleArrays.classes(path().toString(), labels);
    StoredExamples all = ExampleArrays.pack(path().toString(), features, labels, classes);
    return split(ExampleArrays.shape(size), classes, all);
  }
}
