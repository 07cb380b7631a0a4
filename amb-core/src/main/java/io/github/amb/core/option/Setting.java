package io.github.amb.core.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One option: its name, type, default, range and meaning, wherever its value is read. Begin with a
 * static method; the others return a changed copy.
 *
 * @param <T> type of its value
 * @param name long name, words joined by dashes
 * @param parser from text to a value; throws {@link IllegalArgumentException} if the text is not of
 *     the type, or {@link UsageException} if it has more to say
 * @param valid whether a value is in range
 * @param range the range and unit in words, for help and errors
 * @param form of its value in a configuration file
 * @param fallback value when none is given; null for none
 * @param implied value when the option stands without one; null if it needs one
 * @param required whether a scheme that has this option needs a value
 * @param help one line
 * @param aliases other names, such as those of PyTorch and of predecessor programs
 * @param role whether a file of somebody else may give it
 */
public record Setting<T>(
    String name,
    Function<String, T> parser,
    Predicate<T> valid,
    String range,
    JsonForm form,
    T fallback,
    T implied,
    boolean required,
    String help,
    List<String> aliases,
    Role role) {
  /** What a value controls, which decides whether a run directory may provide it. */
  public enum Role {
    /** A value of the run, also when the run is resumed or replayed. */
    VALUE,
    /** A command, a host or an address: the user types it each time. */
    ORDER,
    /** Where this run is written: no run directory provides it. */
    PLACE
  }

  /**
   * An option of any type, whose values are all in range.
   *
   * @param fallback value when none is given; null for none
   * @param parser throws {@link IllegalArgumentException} if a text is not of the type
   */
  public static <T> Setting<T> of(
      String name, T fallback, JsonForm form, Function<String, T> parser) {
    return new Setting<>(
        name, parser, v -> true, "", form, fallback, null, false, "", List.of(), Role.VALUE);
  }

  /** An integer of at least {@code min}; without a default if {@code fallback} is null. */
  public static Setting<Integer> integer(String name, Integer fallback, int min) {
    return of(name, fallback, JsonForm.INTEGER, Decimal::integer)
        .in("integer, " + min + " or more", v -> v >= min);
  }

  /** An integer from {@code min} to {@code max}; without a default if {@code fallback} is null. */
  public static Setting<Integer> integer(String name, Integer fallback, int min, int max) {
    return integer(name, fallback, min).in(min + " to " + max, v -> v <= max);
  }

  /** A finite number; without a default if {@code fallback} is null. */
  public static Setting<Double> real(String name, Double fallback) {
    return of(name, fallback, JsonForm.NUMBER, Decimal::real).in("a number", Double::isFinite);
  }

  /** A number or infinity; without a default if {@code fallback} is null. */
  public static Setting<Double> realOrInfinite(String name, Double fallback) {
    return of(name, fallback, JsonForm.NUMBER_OR_TEXT, Setting::finiteOrInfinite);
  }

  /** A finite number above 0; without a default if {@code fallback} is null. */
  public static Setting<Double> positive(String name, Double fallback) {
    return real(name, fallback).in("above 0", v -> v > 0);
  }

  /** A finite number of at least 0; without a default if {@code fallback} is null. */
  public static Setting<Double> notNegative(String name, Double fallback) {
    return real(name, fallback).in("0 or more", v -> v >= 0);
  }

  /** A number from 0 up to less than 1; without a default if {@code fallback} is null. */
  public static Setting<Double> share(String name, Double fallback) {
    return real(name, fallback).in("0 up to less than 1", v -> v >= 0 && v < 1);
  }

  /** A text that is not blank; without a default if {@code fallback} is null. */
  public static Setting<String> text(String name, String fallback) {
    // The character 0 cannot be in a file name, which the value may be.
    return of(name, fallback, JsonForm.TEXT, t -> t)
        .in("a text", t -> !t.isBlank() && t.indexOf('\0') < 0);
  }

  /** A path that this system can have; without a default if {@code fallback} is null. */
  public static Setting<String> path(String name, String fallback) {
    return of(name, fallback, JsonForm.TEXT, text -> Path.of(text).toString())
        .in("a directory", t -> !t.isBlank());
  }

  /** One of some words; the first is the default. */
  public static Setting<String> choice(String name, String... words) {
    List<String> choices = List.of(words);
    return of(name, words[0], JsonForm.choice(choices), t -> t)
        .in(String.join(", ", choices), choices::contains);
  }

  /** As {@link #choice}, with "one of" before the words of its range. */
  public static Setting<String> oneOf(String name, String... words) {
    return oneOf(name, words[0], List.of(words));
  }

  /** One of some words, without a default if {@code fallback} is null. */
  public static Setting<String> oneOf(String name, String fallback, List<String> words) {
    return of(name, fallback, JsonForm.choice(words), t -> t)
        .in("one of " + String.join(", ", words), words::contains);
  }

  /** A whole number; without a default if {@code fallback} is null. */
  public static Setting<Long> integral(String name, Long fallback) {
    return of(name, fallback, JsonForm.INTEGER, Decimal::whole);
  }

  /**
   * A decimal number, or infinity as YAML or Java writes it.
   *
   * @throws NumberFormatException if a text is neither
   */
  public static Double finiteOrInfinite(String text) {
    return List.of("inf", ".inf", "Infinity").contains(text)
        ? Double.POSITIVE_INFINITY
        : Decimal.real(text);
  }

  /** The items of a list, which commas, blanks or both separate; empty where one is missing. */
  public static List<String> items(String list) {
    return List.of(list.strip().split("\\s*,\\s*|\\s+", -1));
  }

  /** Values of this option, separated as in {@link #items}. */
  public Setting<List<T>> list(List<T> fallback) {
    return of(name, fallback, JsonForm.NUMBERS, text -> items(text).stream().map(parser).toList())
        .in(range, values -> values.stream().allMatch(valid));
  }

  /**
   * This option with a narrower range.
   *
   * @param words the whole range and the unit in words, for help and errors
   * @param more what a value must fulfill besides
   */
  public Setting<T> in(String words, Predicate<T> more) {
    return copy(valid.and(more), words, implied, required, help, aliases, role);
  }

  /** This option with other words for its range. */
  public Setting<T> in(String words) {
    return in(words, v -> true);
  }

  /** This option with its meaning, one line. */
  public Setting<T> help(String line) {
    return copy(valid, range, implied, required, line, aliases, role);
  }

  /** This option, which a scheme that has it cannot do without. */
  public Setting<T> mustBeGiven() {
    return copy(valid, range, implied, true, help, aliases, role);
  }

  /** This option with further names. */
  public Setting<T> or(String... aliases) {
    return copy(valid, range, implied, required, help, List.of(aliases), role);
  }

  /** This option, which means {@code implied} if given without a value. */
  public Setting<T> implying(T implied) {
    return copy(valid, range, implied, required, help, aliases, role);
  }

  /** This option in another role. */
  public Setting<T> as(Role role) {
    return copy(valid, range, implied, required, help, aliases, role);
  }

  private Setting<T> copy(
      Predicate<T> valid,
      String range,
      T implied,
      boolean required,
      String help,
      List<String> aliases,
      Role role) {
    return new Setting<>(
        name, parser, valid, range, form, fallback, implied, required, help, aliases, role);
  }

  /** A value in the form of the command line. */
  public static String typed(Object value) {
    return value instanceof List<?> items
        ? items.stream().map(String::valueOf).collect(Collectors.joining(","))
        : value.toString();
  }

  /** The default as the user types it; empty for none. */
  public String usual() {
    return fallback == null ? "" : typed(fallback).replace("Infinity", "inf");
  }

  /** Range and default in words. */
  public String rangeAndDefault() {
    return fallback == null ? range : range + "; default " + usual();
  }

  /** All its names, the long one first. */
  public List<String> names() {
    List<String> names = new ArrayList<>(List.of(name));
    names.addAll(aliases);
    return names;
  }

  /**
   * Parses a value.
   *
   * @param where where {@code text} was found, such as {@code --workers}
   * @throws UsageException if it is not of the type or out of range; with the parser's own words if
   *     it has thrown one
   */
  public T parse(String where, String text) {
    try {
      T value = parser.apply(text);
      if (valid.test(value)) {
        return value;
      }
    } catch (UsageException e) {
      throw new UsageException(where + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      // It is not of the type.
    }
    throw new UsageException(problem(where, text));
  }

  /**
   * As {@link #parse(String, String)}, but collects the problem.
   *
   * @param problems receives a line if the text is not of the type or out of range
   * @return null then
   */
  public T parse(String where, String text, List<String> problems) {
    try {
      return parse(where, text);
    } catch (UsageException e) {
      problems.add(e.getMessage());
      return null;
    }
  }

  private String problem(String where, String text) {
    boolean infinite = Double.isInfinite(Decimal.any(text, 0)) && Decimal.is(text);
    String more = infinite ? ", more than a number can be" : "";
    return "%s: expected %s, found '%s'%s".formatted(where, range, text, more);
  }
}
