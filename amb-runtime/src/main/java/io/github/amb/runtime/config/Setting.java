package io.github.amb.runtime.config;

import io.github.amb.core.plugin.Registry;
import io.github.amb.core.scheme.SchemeOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * One option: its name, type, default, unit and range.
 *
 * @param <T> type of its value
 * @param name long name, words joined by dashes
 * @param parser from text to a value
 * @param valid whether a value is in range
 * @param range the range and unit in words, for help and errors
 * @param form of its value in a configuration file
 * @param fallback value when none is given; null for none
 * @param implied value when the option stands without one; null if it needs one
 * @param help one line
 * @param aliases other names, such as those of PyTorch and of predecessor programs
 * @param role whether a file of somebody else may give it
 */
public record Setting<T>(
    String name,
    Parser<T> parser,
    Predicate<T> valid,
    String range,
    JsonForm form,
    T fallback,
    T implied,
    String help,
    List<String> aliases,
    Role role) {
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  /** What a value controls, which decides whether a run directory may provide it. */
  public enum Role {
    /** A value of the run, also when the run is resumed or replayed. */
    VALUE,
    /** A command, a host or an address: the user types it each time. */
    ORDER,
    /** Where this run is written: no run directory provides it. */
    PLACE
  }

  /** An option that is a {@link Role#VALUE}, has no alias, and needs a value. */
  Setting(
      String name,
      Parser<T> parser,
      Predicate<T> valid,
      String range,
      JsonForm form,
      T fallback,
      String help) {
    this(name, parser, valid, range, form, fallback, null, help, List.of(), Role.VALUE);
  }

  /** Turns text into a value. */
  @FunctionalInterface
  public interface Parser<T> {
    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if {@code text} is not of the type
     */
    T parse(String text);
  }

  /** An option of schemes, as text that the scheme parses; without a value unless given. */
  static Setting<String> of(SchemeOption<?> option) {
    return new Setting<>(
        option.name(),
        text -> text,
        option::accepts,
        option.fallback() == null
            ? option.range()
            : option.range() + "; default " + option.fallback(),
        option.accepts("1") ? JsonForm.NUMBER_OR_TEXT : JsonForm.TEXT,
        null,
        option.help());
  }

  static Setting<Integer> integer(String name, Integer fallback, int min, int max, String help) {
    String range = max == Integer.MAX_VALUE ? "integer, " + min + " or more" : min + " to " + max;
    return new Setting<>(
        name, Integer::valueOf, v -> v >= min && v <= max, range, JsonForm.INTEGER, fallback, help);
  }

  static Setting<Long> integral(String name, Long fallback, long min, String range, String help) {
    return new Setting<>(
        name, Long::valueOf, v -> v >= min, range, JsonForm.INTEGER, fallback, help);
  }

  static Setting<Double> real(
      String name, Double fallback, Predicate<Double> valid, String range, String help) {
    return new Setting<>(name, Setting::finite, valid, range, JsonForm.NUMBER, fallback, help);
  }

  static Setting<Double> realOrInfinite(
      String name, Double fallback, Predicate<Double> valid, String range, String help) {
    return new Setting<>(
        name, Setting::finiteOrInfinite, valid, range, JsonForm.NUMBER_OR_TEXT, fallback, help);
  }

  static Setting<List<Double>> reals(
      String name, List<Double> fallback, Predicate<Double> valid, String range, String help) {
    return new Setting<>(
        name,
        text -> Arrays.stream(text.split(",", -1)).map(Setting::finite).toList(),
        values -> values.stream().allMatch(valid),
        range,
        JsonForm.NUMBERS,
        fallback,
        help);
  }

  /** Two numbers; without a value unless given. */
  static Setting<List<Double>> pair(
      String name, Predicate<Double> valid, String range, String help) {
    Setting<List<Double>> any = reals(name, null, valid, range, help);
    Predicate<List<Double>> two = values -> values.size() == 2;
    return new Setting<>(
        name, any.parser(), two.and(any.valid()), range, JsonForm.NUMBERS, null, help);
  }

  static Setting<String> text(String name, String fallback, String range, String help) {
    // The character 0 cannot be in a file name, which the value may be.
    return new Setting<>(
        name,
        t -> t,
        t -> !t.isBlank() && t.indexOf('\0') < 0,
        range,
        JsonForm.TEXT,
        fallback,
        help);
  }

  /** A name in a registry, which a user may write as an alias; arguments may follow. */
  static Setting<String> named(
      String name, String fallback, Registry<?> registry, String range, String help) {
    Setting<String> any = text(name, fallback, range, help);
    return new Setting<>(
        name,
        registry::canonical,
        any.valid(),
        range,
        JsonForm.named(registry.names()),
        fallback,
        help);
  }

  static Setting<String> path(String name, String fallback, String range, String help) {
    return new Setting<>(
        name, t -> Path.of(t).toString(), t -> !t.isBlank(), range, JsonForm.TEXT, fallback, help);
  }

  static Setting<String> choice(String name, String fallback, List<String> choices, String help) {
    return new Setting<>(
        name,
        t -> t,
        choices::contains,
        "one of " + String.join(", ", choices),
        JsonForm.choice(choices),
        fallback,
        help);
  }

  /** A decimal number; Java's own parser accepts many other texts. */
  private static Double finite(String text) {
    double value = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    if (!Double.isFinite(value)) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  /** A decimal number, or infinity as YAML or Java writes it. */
  private static Double finiteOrInfinite(String text) {
    return List.of("inf", ".inf", "Infinity").contains(text)
        ? Double.POSITIVE_INFINITY
        : finite(text);
  }

  /** This option with further names. */
  Setting<T> or(String... aliases) {
    return new Setting<>(
        name, parser, valid, range, form, fallback, implied, help, List.of(aliases), role);
  }

  /** This option, which means {@code implied} if given without a value. */
  Setting<T> implying(T implied) {
    return new Setting<>(name, parser, valid, range, form, fallback, implied, help, aliases, role);
  }

  /** This option in another role. */
  Setting<T> as(Role role) {
    return new Setting<>(name, parser, valid, range, form, fallback, implied, help, aliases, role);
  }

  /** The default as the user types it; empty for none. */
  String usual() {
    return fallback == null ? "" : Settings.text(fallback).replace("Infinity", "inf");
  }

  /** All its names, the long one first. */
  List<String> names() {
    List<String> names = new ArrayList<>(List.of(name));
    names.addAll(aliases);
    return names;
  }

  /**
   * Adds a value to those given, in place of an earlier one.
   *
   * @param given text of each option, by long name; modified
   * @param where where {@code text} was found, such as {@code --workers}
   * @param problems receives a line if the value is out of range
   */
  void put(Map<String, String> given, String where, String text, List<String> problems) {
    if (!accepts(text)) {
      boolean infinite =
          DECIMAL.matcher(text).matches() && Double.isInfinite(Double.parseDouble(text));
      String more = infinite ? ", more than a number can be" : "";
      problems.add("%s: expected %s, found '%s'%s".formatted(where, range, text, more));
    }
    given.put(name, text);
  }

  /** The problem of a second value where one is expected. */
  static String second(String where, String text) {
    return where + ": expected one value, found a second one, '" + text + "'";
  }

  private boolean accepts(String text) {
    try {
      return valid.test(parser.parse(text));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
