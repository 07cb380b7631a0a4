package io.github.amb.bench.harness;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * An option of a benchmark.
 *
 * @param name long name without dashes
 * @param fallback default value; null for none
 * @param expected type, unit and range in words
 * @param valid accepts valid values
 * @param help one line
 */
public record Parameter(
    String name, String fallback, String expected, Predicate<String> valid, String help) {

  /** An integer of at least {@code min}. */
  public static Parameter integer(String name, int fallback, int min, String help) {
    return new Parameter(
        name,
        Integer.toString(fallback),
        "an integer of at least " + min,
        text -> isInteger(text, min),
        help);
  }

  /** Integers of at least {@code min}, separated by commas. */
  public static Parameter integers(String name, String fallback, int min, String help) {
    return new Parameter(
        name,
        fallback,
        "integers of at least " + min + ", as " + fallback,
        text -> Arrays.stream(text.split(",", -1)).allMatch(part -> isInteger(part, min)),
        help);
  }

  /** Seconds above 0. */
  public static Parameter seconds(String name, double fallback, String help) {
    return new Parameter(
        name, Double.toString(fallback), "seconds above 0", Parameter::isPositive, help);
  }

  /** Any text. */
  public static Parameter text(String name, String fallback, String expected, String help) {
    return new Parameter(name, fallback, expected, text -> !text.isBlank(), help);
  }

  private static boolean isInteger(String text, int min) {
    try {
      return Integer.parseInt(text) >= min;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isPositive(String text) {
    try {
      double value = Double.parseDouble(text);
      return value > 0 && value < Double.POSITIVE_INFINITY;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
