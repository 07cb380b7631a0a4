package io.github.amb.core.plugin;

import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * What stands behind an entry's name and a colon: {@code 0.01,sampled,warmup=100}. A factory takes
 * the arguments out one by one; what is left is an error.
 */
public final class EntryArguments {
  private final String entry;
  private final List<String> rest;

  /**
   * @param entry kind and name of the entry, for error messages, such as {@code codec topk}
   * @param text the arguments, joined by commas; empty for none
   */
  public EntryArguments(String entry, String text) {
    this.entry = entry;
    rest = new ArrayList<>(text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1)));
  }

  /** Takes the word {@code name} out; false if it is not there. */
  public boolean flag(String name) {
    return rest.remove(name);
  }

  /**
   * Consumes the first argument without a name, a number.
   *
   * @param fallback its value if there is none
   * @param range in words, for error messages
   * @throws UsageException if it is not in range
   */
  public double first(double fallback, DoublePredicate valid, String range) {
    if (rest.isEmpty() || !rest.get(0).matches("[-+.0-9].*")) {
      return fallback;
    }
    return number("", rest.remove(0), valid, range);
  }

  /**
   * Takes {@code name=NUMBER} out.
   *
   * @param fallback its value if there is none
   * @param range in words, for error messages
   * @throws UsageException if it is no number, or not in range
   */
  public double named(String name, double fallback, DoublePredicate valid, String range) {
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
      // Reported below.
    }
    throw new UsageException("%s: expected %s%s, found '%s'".formatted(entry, name, range, text));
  }

  /** A ratio above 0, up to 1: the first argument. */
  public double ratio(double fallback) {
    return first(fallback, value -> value > 0 && value <= 1, "a ratio above 0, up to 1");
  }

  /** An integer from {@code least} to {@code most}: the first argument. */
  public int count(int fallback, int least, int most) {
    return (int) first(fallback, whole(least, most), "an integer from " + least + " to " + most);
  }

  /** Takes {@code name=INTEGER} out, from {@code least} to {@code most}. */
  public int count(String name, int fallback, int least, int most) {
    return (int)
        named(name, fallback, whole(least, most), "an integer from " + least + " to " + most);
  }

  private static DoublePredicate whole(int least, int most) {
    return value -> value == Math.rint(value) && value >= least && value <= most;
  }

  /**
   * Checks that all arguments have been consumed.
   *
   * @param usage what would have been right
   * @throws UsageException if there is one more
   */
  public void end(String usage) {
    if (!rest.isEmpty()) {
      throw new UsageException("%s: expected %s, found '%s'".formatted(entry, usage, rest.get(0)));
    }
  }
}
