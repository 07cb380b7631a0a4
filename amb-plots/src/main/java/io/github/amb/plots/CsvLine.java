package io.github.amb.plots;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lines of comma-separated values, quoted as RFC 4180 says, ended by a line feed. A text that a
 * spreadsheet would compute, as {@code =1+1}, has an apostrophe before it.
 */
public final class CsvLine {
  private static final MathContext NINE_DIGITS = new MathContext(9);

  /** What spreadsheets take for the start of a formula, also in the wide forms of East Asia. */
  private static final Pattern FORMULA = Pattern.compile("[-=+@\\t\\n＝＋－＠]");

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private CsvLine() {}

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

  /** The same digits on every Java version, which {@link Double#toString} does not promise. */
  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return Double.toString(value);
    }
    return value == 0
        ? "0"
        : new BigDecimal(value).round(NINE_DIGITS).stripTrailingZeros().toPlainString();
  }
}
