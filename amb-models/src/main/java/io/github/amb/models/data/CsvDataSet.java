package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Examples in a text file, one per line: label, then features, with commas between them. A first
 * line that is no numbers is taken for column names.
 */
final class CsvDataSet extends UserDataSet {
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
    try (BufferedReader reader = open()) {
      int number = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        if (!line.isBlank() && !(number == 1 && isHeader(line))) {
          rows.add(row(line, number, rows.isEmpty() ? -1 : rows.get(0).length));
        }
      }
    }
    if (rows.isEmpty()) {
      throw new UsageException("%s: expected a line per example, found none".formatted(path()));
    }
    return pack(rows);
  }

  private BufferedReader open() throws IOException {
    InputStream file = Files.newInputStream(path());
    InputStream in = isCompressed() ? new GZIPInputStream(file, 1 << 16) : file;
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  private static boolean isHeader(String line) {
    String first = line.split(",", 2)[0].strip();
    return !first.matches("[-+.0-9eE]+");
  }

  private float[] row(String line, int number, int expected) {
    String[] cells = line.split(",", -1);
    if (cells.length < 2 || expected >= 0 && cells.length != expected) {
      throw new UsageException(
          "%s: line %d: expected %s, found %d"
              .formatted(
                  path(),
                  number,
                  expected < 0 ? "a label and features" : expected + " values as before",
                  cells.length));
    }
    float[] values = new float[cells.length];
    for (int i = 0; i < cells.length; i++) {
      values[i] = number(cells[i].strip(), number, i + 1);
    }
    if (values[0] != (int) values[0]) {
      throw new UsageException(
          "%s: line %d: expected a label, a whole number, found %s"
              .formatted(path(), number, cells[0]));
    }
    return values;
  }

  private float number(String text, int line, int column) {
    try {
      float value = Float.parseFloat(text);
      if (Float.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, as numbers that are not finite are.
    }
    throw new UsageException(
        "%s: line %d, column %d: expected a finite number, found '%s'"
            .formatted(path(), line, column, text));
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
