package io.github.amb.core.option;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Decimal numbers as people and files write them: digits 0 to 9, at most one point, an exponent.
 * Java's own parsers also accept {@code 10d}, {@code 0x1p3} and digits of other scripts. So all
 * text from outside is read here.
 */
public final class Decimal {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");

  private Decimal() {}

  /** {@link String#format} as everywhere: with a decimal point, and commas between thousands. */
  public static String format(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }

  /** Whether a text is a decimal number. */
  public static boolean is(String text) {
    return NUMBER.matcher(text).matches();
  }

  /**
   * A finite number.
   *
   * @throws NumberFormatException if the text is not one, or more than a double can be
   */
  public static double real(String text) {
    double value = is(text) ? Double.parseDouble(text) : Double.NaN;
    if (!Double.isFinite(value)) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  /**
   * The nearest float of a decimal number, which may be infinite.
   *
   * @throws NumberFormatException if the text is not a number
   */
  public static float single(String text) {
    if (!is(text)) {
      throw new NumberFormatException(text);
    }
    return Float.parseFloat(text);
  }

  /**
   * A number; infinity and NaN as Java writes them.
   *
   * @param otherwise the result if the text is none of these
   */
  public static double any(String text, double otherwise) {
    return switch (text) {
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> is(text) ? Double.parseDouble(text) : otherwise;
    };
  }

  /**
   * A whole number without a point.
   *
   * @throws NumberFormatException if the text is not one, or more than a long can be
   */
  public static long whole(String text) {
    if (text == null || !WHOLE.matcher(text).matches()) {
      throw new NumberFormatException(text);
    }
    return Long.parseLong(text);
  }

  /**
   * A whole number without a point.
   *
   * @throws NumberFormatException if the text is not one, or more than an int can be
   */
  public static int integer(String text) {
    long value = whole(text);
    if (value != (int) value) {
      throw new NumberFormatException(text);
    }
    return (int) value;
  }
}
