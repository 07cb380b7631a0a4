package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.StoredExamples;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Examples in a text file, one per row, by RFC 4180: label, then features. Commas, semicolons or
 * tabs separate them. A first row without any number has the names of columns. With one of these
 * names after its own, the labels are in that column. Labels are whole numbers, or texts, whose
 * order is that of their characters. After {@code targets=} or {@code labels=} follow the names of
 * columns of numbers to predict, or of labels, each 0 or 1; without names in the file, their
 * numbers from 1.
 */
final class CsvDataSet extends UserDataSet {
  private static final Pattern NAME = Pattern.compile("(.+\\.csv(?:\\.gz)?)(?::(.+))?");

  /** Columns that follow the path, if they are no column of classes. */
  private static final Pattern SEVERAL = Pattern.compile("(targets|labels)=(.+)");

  /** Words that mean numbers, and so are rejected as data. */
  private static final Pattern WORD = Pattern.compile("(?i)[-+]?(nan|inf|infinity)");

  /** Names of columns that have labels, in most files. */
  private static final Set<String> LABELS = Set.of("label", "labels", "class", "target");

  /** How pandas names a column that has no name. */
  private static final Pattern UNNAMED = Pattern.compile("(Unnamed: 0)?");

  /** Bytes of memory per value: as it is read, as a float among all others, and as a byte. */
  private static final int VALUE_BYTES = 2 * Float.BYTES + 1;

  private final Targets targets;

  /** Names of the columns to predict; none for the first one. */
  private final List<String> chosen;

  /**
   * @param columns what follows the path; null for nothing
   */
  private CsvDataSet(String name, Path path, String columns) {
    super(name, path);
    Matcher several = SEVERAL.matcher(columns == null ? "" : columns);
    targets = several.matches() ? named(several.group(1)) : Targets.CLASS;
    chosen =
        several.matches()
            ? List.of(several.group(2).split(",", -1))
            : columns == null ? List.of() : List.of(columns);
  }

  /** The file of a name, {@code FILE.csv} or {@code FILE.csv:COLUMN}; empty if it is not of one. */
  static Optional<DataSetDefinition> of(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean whole = name.endsWith(".csv") || name.endsWith(".csv.gz");
    boolean plain = whole && (matcher.group(2) == null || Files.exists(Path.of(name)));
    return Optional.of(
        plain
            ? new CsvDataSet(name, Path.of(name), null)
            : new CsvDataSet(name, Path.of(matcher.group(1)), matcher.group(2)));
  }

  @Override
  String form() {
    return path.toString().endsWith(".gz") ? "csv.gz" : "csv";
  }

  @Override
  String reading() {
    return (targets == Targets.CLASS ? "" : targets + "=") + String.join(",", chosen);
  }

  /**
   * Which columns are read.
   *
   * @param outputs indices of what is predicted
   * @param first index of the first column that is read
   * @param names of all columns; none if the file has none
   */
  private record Columns(List<Integer> outputs, int first, List<String> names) {
    int label() {
      return outputs.get(0);
    }
  }

  @Override
  DecodedSet read(ReadingNotes notes) throws IOException {
    char separator = CsvRows.separator(path);
    if (separator != ',') {
      notes.add("values are separated by", separator == ';' ? "semicolons" : "tabs");
    }
    List<float[]> examples = new ArrayList<>();
    List<float[]> numbers = new ArrayList<>();
    try (CsvRows rows = new CsvRows(path, separator)) {
      List<String> row = rows.next();
      Columns columns = row == null ? null : columns(row, rows.line, notes);
      if (columns != null && !columns.names.isEmpty()) {
        row = rows.next();
      }
      CsvLabels labels = columns == null ? null : new CsvLabels(path, columns.label() + 1);
      int width = columns == null ? 0 : columns.names.size();
      for (; row != null; row = rows.next()) {
        expectRoom(examples.size() + 1, row.size());
        expectCells(row, rows.line, width);
        width = row.size();
        if (targets == Targets.CLASS) {
          String label = row.get(columns.label());
          labels.add(label, isNumber(label), rows.line);
        } else {
          numbers.add(numbers(row, rows.line, columns));
        }
        examples.add(features(row, rows.line, columns));
      }
      if (examples.isEmpty()) {
        throw new UsageException("%s: expected a line per example, found none", path);
      }
      if (targets == Targets.CLASS) {
        expectLabels(columns, labels);
        long[] classes = labels.classes();
        int count = ExampleArrays.classes(path.toString(), classes);
        Labels checked = ExampleArrays.checked(path.toString(), classes, count);
        return pack(examples, checked, count, labels.names(), notes);
      }
      Labels several = Labels.of(targets, joined(numbers), numbers.size());
      return pack(examples, several, chosen.size(), chosen, notes);
    }
  }

  private Columns columns(List<String> row, int line, ReadingNotes notes) {
    if (chosen.size() > Set.copyOf(chosen).size()) {
      throw new UsageException(
          "%s: line %d: expected each column once, found %s",
          path, line, String.join(", ", chosen));
    }
    boolean named = !chosen.isEmpty() && row.containsAll(chosen);
    if (!named && !chosen.isEmpty()) {
      throw new UsageException(
          "%s: line %d: expected %s '%s', found %s",
          path,
          line,
          chosen.size() == 1 ? "a column" : "columns",
          String.join("', '", chosen),
          Printable.shown(String.join(", ", row)));
    }
    if (!named && !isHeader(row)) {
      return new Columns(List.of(0), 0, List.of());
    }
    List<Integer> outputs = named ? chosen.stream().map(row::indexOf).toList() : List.of(0);
    boolean index =
        row.size() > 2 && !(named && outputs.contains(0)) && UNNAMED.matcher(row.get(0)).matches();
    if (!named) {
      expectLabelFirst(row, line, index);
    }
    for (int output : outputs) {
      if (named && row.lastIndexOf(row.get(output)) != output) {
        throw new UsageException(
            "%s: line %d: expected one column '%s', found several", path, line, row.get(output));
      }
    }
    if (index) {
      notes.add("left out as the index of rows", "column 1, which has no name");
    }
    Set<String> names = new HashSet<>();
    row.stream()
        .filter(name -> !names.add(name))
        .forEach(name -> notes.add("several columns have the name", Printable.shown(name)));
    String what = targets == Targets.NUMBERS ? "numbers to predict" : "labels";
    notes.add(
        "line %d has the names of columns, %s are in".formatted(line, what),
        Printable.shown(outputs.stream().map(row::get).collect(Collectors.joining(", "))));
    return new Columns(outputs, index ? 1 : 0, row);
  }

  private void expectLabelFirst(List<String> names, int line, boolean index) {
    String other =
        names.stream()
            .filter(name -> LABELS.contains(name.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElse(index ? names.get(1) : null);
    if (index || other != null && !LABELS.contains(names.get(0).toLowerCase(Locale.ROOT))) {
      throw new UsageException(
          "%s: line %d: expected the labels in the first column, found %s; name their column, as %s:%s",
          path,
          line,
          index ? "an index of rows" : "a column '%s' after it".formatted(other),
          path,
          other);
    }
  }

  /** Rejects what only looks like labels. */
  private void expectLabels(Columns columns, CsvLabels labels) {
    if (labels.areRowNumbers()) {
      throw new UsageException(
          "%s: column %d: expected labels, found the numbers of the rows; %s",
          path,
          columns.label() + 1,
          columns.names.isEmpty()
              ? "write the file without them"
              : "name the column of labels, as %s:%s".formatted(path, columns.names.get(1)));
    }
    String name = columns.names.isEmpty() ? "" : columns.names.get(columns.label());
    if (labels.names().contains(name)) {
      throw new UsageException(
          "%s: line 1: expected names of columns, or numbers, found '%s', a label of later lines, and no number",
          path, Printable.shown(name));
    }
  }

  static boolean isNumber(String text) {
    return Decimal.is(text) || WORD.matcher(text).matches();
  }

  private static boolean isHeader(List<String> row) {
    return row.size() > 1 && row.stream().noneMatch(CsvDataSet::isNumber);
  }

  private void expectRoom(int rows, int columns) {
    long values = (long) rows * columns;
    if (values * Float.BYTES > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected examples of at most %d bytes as floats, found more than %d lines of %d values",
          path, DataLimits.EXAMPLE_BYTES, rows - 1, columns);
    }
    BoundedFile.requireMemory(path.toString(), values * VALUE_BYTES);
  }

  /**
   * @param expected number of values of the row before; 0 if there is none
   */
  private void expectCells(List<String> row, int line, int expected) {
    if (row.size() < 2 || expected > 0 && row.size() != expected) {
      throw new UsageException(
          "%s: line %d: expected %s, found %d",
          path,
          line,
          expected == 0
              ? "a label and features, with commas, semicolons or tabs between them"
              : expected + " values as before",
          row.size());
    }
  }

  private float[] features(List<String> row, int line, Columns columns) {
    int size = row.size() - columns.first - columns.outputs.size();
    if (size < 1) {
      throw new UsageException(
          "%s: line %d: expected a feature beside what is predicted, found none", path, line);
    }
    float[] values = new float[size];
    int at = 0;
    for (int i = columns.first; i < row.size(); i++) {
      if (!columns.outputs.contains(i)) {
        values[at++] = number(path, row.get(i), line, i + 1);
      }
    }
    return values;
  }

  private float[] numbers(List<String> row, int line, Columns columns) {
    float[] numbers = new float[columns.outputs.size()];
    for (int i = 0; i < numbers.length; i++) {
      int column = columns.outputs.get(i);
      numbers[i] = number(path, row.get(column), line, column + 1);
      if (targets == Targets.LABELS && numbers[i] != 0 && numbers[i] != 1) {
        throw new UsageException(
            "%s: line %d, column %d: expected 1 for an example with the label, or 0, found '%s'",
            path, line, column + 1, Printable.shown(row.get(column)));
      }
    }
    return numbers;
  }

  /**
   * The number of a cell.
   *
   * @param column from 1
   * @throws UsageException if it is none, or not finite
   */
  static float number(Path path, String text, int line, int column) {
    float value = Decimal.is(text) ? Decimal.single(text) : Float.NaN;
    if (Float.isFinite(value)) {
      return value;
    }
    throw new UsageException(
        "%s: line %d, column %d: expected a finite number, found '%s'%s",
        path,
        line,
        column,
        Printable.shown(text),
        text.contains(",") ? "; write a decimal point, and no commas" : "");
  }

  private DecodedSet pack(
      List<float[]> rows, Labels labels, int classes, List<String> names, ReadingNotes notes) {
    StoredExamples all = ExampleArrays.pack(path.toString(), joined(rows), labels);
    return split(shape(rows.get(0).length, notes), classes, noted(all, notes), names, notes);
  }

  private static float[] joined(List<float[]> rows) {
    int size = rows.get(0).length;
    float[] all = new float[Math.multiplyExact(rows.size(), size)];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, all, i * size, size);
    }
    return all;
  }
}
