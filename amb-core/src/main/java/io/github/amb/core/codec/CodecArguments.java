package io.github.amb.core.codec;

import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;

/** What stands behind a codec's name: {@code 0.01,sampled,warmup=100}. Taken out one by one. */
final class CodecArguments {
  private final String codec;
  private final List<String> rest;

  /**
   * @param codec the codec's name, for error messages
   * @param text the arguments, joined by commas; empty for none
   */
  CodecArguments(String codec, String text) {
    this.codec = codec;
    rest = new ArrayList<>(text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1)));
  }

  /** Takes the word {@code name} out; false if it is not there. */
  boolean flag(String name) {
    return rest.remove(name);
  }

  /**
   * Takes the first argument that has no name out, a number.
   *
   * @param fallback its value if there is none
   * @param range in words, for error messages
   */
  double first(double fallback, DoublePredicate valid, String range) {
    if (rest.isEmpty() || !rest.get(0).matches("[-+.0-9].*")) {
      return fallback;
    }
    return number("", rest.remove(0), valid, range);
  }

  /** Takes {@code name=NUMBER} out. */
  double named(String name, double fallback, DoublePredicate valid, String range) {
    for (String argument : rest) {
      if (argument.startsWith(name + "=")) {
        rest.remove(argument);
        return number(name + "=", argument.substring(name.length() + 1), valid, range);
      }
    }
    return fallback;
  }

  private double number(String name, String text, DoublePredicate valid, String range) {
    try {
      double value = Double.parseDouble(text);
      if (valid.test(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new UsageException(
        "codec %s: expected %s%s, found '%s'".formatted(codec, name, range, text));
  }

  /** A ratio, the first argument. */
  double ratio(double fallback) {
    return first(fallback, value -> value > 0 && value <= 1, "a ratio above 0, up to 1");
  }

  /** A whole number, the first argument. */
  int count(int fallback, int least, int most) {
    return (int) first(fallback, whole(least, most), "an integer from " + least + " to " + most);
  }

  /** Takes {@code name=INTEGER} out. */
  int count(String name, int fallback, int least, int most) {
    return (int)
        named(name, fallback, whole(least, most), "an integer from " + least + " to " + most);
  }

  private static DoublePredicate whole(int least, int most) {
    return value -> value == Math.rint(value) && value >= least && value <= most;
  }

  /**
   * Checks that all arguments have been taken out.
   *
   * @param usage what would have been right
   */
  void end(String usage) {
    if (!rest.isEmpty()) {
      throw new UsageException(
          "codec %s: expected %s, found '%s'".formatted(codec, usage, rest.get(0)));
    }
  }
}
