package io.github.amb.core.scheme;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One option of schemes: what a user can set, whichever way the options are read.
 *
 * @param <T> type of its value
 * @param name long name, words joined by dashes
 * @param parser from text to a value; throws {@link IllegalArgumentException} if the text is not of
 *     the type
 * @param valid whether a value is in range
 * @param range the range and unit in words, for help and errors
 * @param fallback value when none is given; null for none
 * @param required whether a scheme that has this option needs a value
 * @param help one line
 */
public record SchemeOption<T>(
    String name,
    Function<String, T> parser,
    Predicate<T> valid,
    String range,
    T fallback,
    boolean required,
    String help) {

  /**
   * An integer.
   *
   * @param fallback value when none is given; null if the scheme needs one
   * @param min the least value
   */
  public static SchemeOption<Integer> integer(String name, Integer fallback, int min, String help) {
    return new SchemeOption<>(
        name,
        Integer::valueOf,
        value -> value >= min,
        "integer, " + min + " or more",
        fallback,
        fallback == null,
        help);
  }

  /**
   * A number.
   *
   * @param fallback value when none is given; null if the scheme needs one
   * @param range what {@code valid} accepts, with its unit, in words
   */
  public static SchemeOption<Double> real(
      String name, Double fallback, Predicate<Double> valid, String range, String help) {
    return new SchemeOption<>(
        name, SchemeOption::parseReal, valid, range, fallback, fallback == null, help);
  }

  /**
   * One of some words.
   *
   * @param values the words; the first is the value when none is given
   */
  public static SchemeOption<String> choice(String name, String help, String... values) {
    List<String> known = Arrays.asList(values);
    return new SchemeOption<>(
        name, text -> text, known::contains, String.join(", ", known), values[0], false, help);
  }

  /** This option, which a scheme can do without although it has no value of its own. */
  SchemeOption<T> optional() {
    return new SchemeOption<>(name, parser, valid, range, fallback, false, help);
  }

  static Double parseReal(String text) {
    return text.equals("inf") ? Double.valueOf(Double.POSITIVE_INFINITY) : Double.valueOf(text);
  }

  /** Whether {@code text} is a value in range. */
  public boolean accepts(String text) {
    try {
      return valid.test(parser.apply(text));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Name, range, default and meaning, for the page of a scheme. */
  String line() {
    String otherwise = fallback == null ? "" : "; default " + fallback;
    return "--%s  %s (%s%s)".formatted(name, help, range, otherwise);
  }

  /** Name and range, as a user writes it. */
  String usage() {
    return "--" + name + " (" + range + ")";
  }
}
