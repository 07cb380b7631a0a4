package io.github.amb.plots;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * Lines of comma-separated values, quoted by RFC 4180, ended by a line feed. A text that a
 * spreadsheet would evaluate, such as {@code =1+1}, gets a leading apostrophe.
 */
public final class CsvLine {
  private static final MathContext NINE_DIGITS = new MathContext(9);

  /** Characters that start a formula in spreadsheets, with their full-width forms. */
  private static final Pattern FORMULA = Pattern.compile("[-=+@\\t\\n＝＋－＠]");

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(false).get();

  private CsvLine() {}

  /**
   * The lines of a text, by RFC 4180. An empty line has one empty field.
   *
   * @param file of the text, for messages
   * @throws UsageException if quotes are not those of RFC 4180; the message names file and line
   */
  public static List<List<String>> read(String text, Path file) {
    List<List<String>> lines = new ArrayList<>();
    try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
      parser.forEach(line -> lines.add(line.toList()));
      return lines;
    } catch (IOException | UncheckedIOException e) {
      throw new UsageException(
          "%s line %d: expected quotes around a whole value, doubled inside, found others",
          file, lines.size() + 1);
    }
  }

  /** A header and rows, a line each. */
  public static String table(List<?> header, Stream<? extends List<?>> rows) {
    return Stream.concat(Stream.of(header), rows).map(CsvLine::of).collect(Collectors.joining());
  }

  /** One line. A null or NaN is an empty field; a double has at most nine significant digits. */
  public static String of(List<?> fields) {
    return fields.stream().map(CsvLine::field).collect(Collectors.joining(",", "", "\n"));
  }

  private static String field(Object value) {
    if (value instanceof Double number) {
      return number.isNaN() ? "" : number(number);
    }
    String text = value == null ? "" : text(value);
    boolean quote = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quote ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  private static String text(Object value) {
    String text = PlainText.of(value.toString());
    boolean computed = FORMULA.matcher(text).lookingAt() && !NUMBER.matcher(text).matches();
    return computed ? "'" + text : text;
  }

  /**
   * Formats a number with the same digits on every Java version, unlike {@link Double#toString}.
   */
  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return Double.toString(value);
    }
    return value == 0
        ? "0"
        : new BigDecimal(value).round(NINE_DIGITS).stripTrailingZeros().toPlainString();
  }
}
