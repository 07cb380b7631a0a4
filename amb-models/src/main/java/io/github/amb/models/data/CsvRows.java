package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a CSV file by RFC 4180: quotes enclose separators, line ends and doubled quotes.
 * Blank lines are skipped, and blanks around a value.
 */
final class CsvRows implements Closeable {
  private static final String SEPARATORS = ";\t,";

  private final Path file;
  private final Utf8Text text;
  private final CSVParser parser;

  /** Number of the line at which the last row begins, from 1. */
  int line;

  CsvRows(Path file, char separator) throws IOException {
    this.file = file;
    text = new Utf8Text(file, file.toString().endsWith(".gz"));
    CSVFormat format =
        CSVFormat.RFC4180.builder().setDelimiter(separator).setIgnoreSurroundingSpaces(true).get();
    parser = CSVParser.builder().setReader(text).setFormat(format).get();
  }

  /**
   * The separator that divides the first two rows alike: a semicolon, a tab or a comma, in this
   * order; the one that finds most values in the first row if none does.
   */
  static char separator(Path file) throws IOException {
    char best = ',';
    int most = 1;
    for (char separator : SEPARATORS.toCharArray()) {
      try (CsvRows rows = new CsvRows(file, separator)) {
        List<String> first = rows.next();
        List<String> second = rows.next();
        if (first == null || first.size() <= 1) {
          continue;
        }
        if (second == null || second.size() == first.size()) {
          return separator;
        }
        if (first.size() > most) {
          most = first.size();
          best = separator;
        }
      } catch (UsageException e) {
        // It is reported when the rows are read with the separator that is chosen.
      }
    }
    return best;
  }

  /**
   * The values of the next row, null if there is none.
   *
   * @throws UsageException if its quotes are not those of RFC 4180, or the text cannot be decoded
   */
  List<String> next() throws IOException {
    try {
      while (parser.iterator().hasNext()) {
        CSVRecord row = parser.iterator().next();
        text.startRow();
        List<String> values = row.stream().map(String::strip).toList();
        line = (int) parser.getCurrentLineNumber() - row.stream().mapToInt(CsvRows::ends).sum();
        if (values.size() > 1 || !values.get(0).isEmpty()) {
          return values;
        }
      }
      return null;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CSVException) {
        throw new UsageException(
            "%s: line %d: expected quotes around a whole value, doubled inside, as RFC 4180 has them, found others",
            file, parser.getCurrentLineNumber());
      }
      throw e.getCause();
    }
  }

  private static int ends(String value) {
    return (int) value.lines().count() - (value.isEmpty() ? 0 : 1);
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
