package io.github.amb.runtime.config;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One option: its name, type, default, unit and range.
 *
 * @param <T> type of its value
 * @param name long name, words joined by dashes
 * @param parser from text to a value
 * @param valid whether a value is in range
 * @param range the range and unit in words, for help and errors
 * @param fallback value when none is given; null for none
 * @param implied value when the option stands without one; null if it needs one
 * @param help one line
 * @param aliases other names, as the seeds had them
 */
public record Setting<T>(
    String name,
    Parser<T> parser,
    Predicate<T> valid,
    String range,
    T fallback,
    T implied,
    String help,
    List<String> aliases) {

  /** Turns text into a value. */
  @FunctionalInterface
  public interface Parser<T> {
    /** Throws {@link IllegalArgumentException} if {@code text} is not of the type. */
    T parse(String text);
  }

  static Setting<Integer> integer(String name, Integer fallback, int min, int max, String help) {
    String range = max == Integer.MAX_VALUE ? "integer, " + min + " or more" : min + " to " + max;
    return new Setting<>(
        name, Integer::valueOf, v -> v >= min && v <= max, range, fallback, null, help, List.of());
  }

  static Setting<Long> integral(String name, Long fallback, long min, String range, String help) {
    return new Setting<>(
        name, Long::valueOf, v -> v >= min, range, fallback, null, help, List.of());
  }

  static Setting<Double> real(
      String name, Double fallback, Predicate<Double> valid, String range, String help) {
    return new Setting<>(
        name,
        Setting::parseReal,
        v -> !v.isNaN() && valid.test(v),
        range,
        fallback,
        null,
        help,
        List.of());
  }

  static Setting<String> text(String name, String fallback, String range, String help) {
    return new Setting<>(name, t -> t, t -> !t.isBlank(), range, fallback, null, help, List.of());
  }

  static Setting<String> choice(String name, String fallback, List<String> choices, String help) {
    return new Setting<>(
        name,
        t -> t,
        choices::contains,
        "one of " + String.join(", ", choices),
        fallback,
        null,
        help,
        List.of());
  }

  private static Double parseReal(String text) {
    return text.equals("inf") ? Double.POSITIVE_INFINITY : Double.valueOf(text);
  }

  /** This option, known by further names too. */
  Setting<T> or(String... aliases) {
    return new Setting<>(name, parser, valid, range, fallback, implied, help, List.of(aliases));
  }

  /** This option, which stands for {@code implied} when given without a value. */
  Setting<T> implying(T implied) {
    return new Setting<>(name, parser, valid, range, fallback, implied, help, aliases);
  }

  /**
   * What is wrong with {@code text} as a value.
   *
   * @param where where it was found, such as {@code --workers}
   */
  Optional<String> problem(String where, String text) {
    try {
      if (valid.test(parser.parse(text))) {
        return Optional.empty();
      }
    } catch (IllegalArgumentException e) {
      // Not of the type: the message below says what was expected.
    }
    return Optional.of("%s: expected %s, found '%s'".formatted(where, range, text));
  }
}
