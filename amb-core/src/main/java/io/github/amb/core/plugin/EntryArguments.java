package io.github.amb.core.plugin;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;

/**
 * Parses the arguments after an entry's name and a colon, such as {@code 0.01,sampled,warmup=100}.
 * Each getter consumes its argument; a remaining one is an error.
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

  /** Consumes the word {@code name} and returns whether it was there. */
  public boolean flag(String name) {
    return rest.remove(name);
  }

  /**
   * Consumes the first argument without a name, a number.
   *
   * @param fallback value if there is none
   * @param valid which values are accepted
   * @param range the accepted values in words, for error messages
   * @throws UsageException if the value is not accepted
   */
  public double first(double fallback, DoublePredicate valid, String range) {
    if (rest.isEmpty() || !rest.get(0).matches("[-+.0-9].*")) {
      return fallback;
    }
    return number("", rest.remove(0), valid, range);
  }

  /**
   * Consumes {@code name=NUMBER}.
   *
   * @param fallback value if there is none
   * @param valid which values are accepted
   * @param range the accepted values in words, for error messages
   * @throws UsageException if the value is not a number or not accepted
   */
  public double named(String name, double fallback, DoublePredicate valid, String range) {
    String text = text(name, null);
    return text == null ? fallback : number(name + "=", text, valid, range);
  }

  /**
   * Consumes {@code name=NUMBER}, a number from 0 that a float has.
   *
   * @param fallback value if there is none
   * @throws UsageException if the value is another one
   */
  public double factor(String name, double fallback) {
    return named(name, fallback, x -> x >= 0 && x < Float.MAX_VALUE, "a number from 0");
  }

  /** Consumes {@code name=TEXT}, and returns its text; {@code fallback} if it is not there. */
  public String text(String name, String fallback) {
    for (String argument : rest) {
      if (argument.startsWith(name + "=")) {
        rest.remove(argument);
        return argument.substring(name.length() + 1);
      }
    }
    return fallback;
  }

  /** Consumes the first argument, whatever it is; {@code fallback} if there is none. */
  public String text(String fallback) {
    return rest.isEmpty() ? fallback : rest.remove(0);
  }

  /** Consumes all arguments that are {@code NAME=TEXT}. */
  public Map<String, String> rest() {
    Map<String, String> found = new LinkedHashMap<>();
    rest.stream()
        .map(argument -> argument.split("=", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> found.put(pair[0], pair[1]));
    rest.removeIf(argument -> argument.contains("="));
    return found;
  }

  private double number(String name, String text, DoublePredicate valid, String range) {
    return Setting.realOrInfinite(name, null).in(name + range, valid::test).parse(entry, text);
  }

  /**
   * Consumes the first argument, a ratio above 0, up to 1.
   *
   * @throws UsageException if it is out of range
   */
  public double ratio(double fallback) {
    return first(fallback, value -> value > 0 && value <= 1, "a ratio above 0, up to 1");
  }

  /**
   * Consumes the first argument, an integer from {@code min} to {@code max}.
   *
   * @throws UsageException if it is out of range
   */
  public int count(int fallback, int min, int max) {
    return (int) first(fallback, whole(min, max), "an integer from " + min + " to " + max);
  }

  /**
   * Consumes {@code name=INTEGER}, from {@code min} to {@code max}.
   *
   * @throws UsageException if the value is out of range
   */
  public int count(String name, int fallback, int min, int max) {
    return (int) named(name, fallback, whole(min, max), "an integer from " + min + " to " + max);
  }

  /**
   * Consumes the arguments without a name, integers from {@code min} to {@code max}.
   *
   * @param fallback the integers if there is none
   * @param min at least 1
   * @throws UsageException if one is out of range
   */
  public List<Integer> counts(List<Integer> fallback, int min, int max) {
    List<Integer> counts = new ArrayList<>();
    for (int next = count(0, min, max); next > 0; next = count(0, min, max)) {
      counts.add(next);
    }
    return counts.isEmpty() ? fallback : counts;
  }

  private static DoublePredicate whole(int min, int max) {
    return value -> value == Math.rint(value) && value >= min && value <= max;
  }

  /**
   * Checks that all arguments have been consumed.
   *
   * @param usage the valid arguments in words, for the message
   * @throws UsageException if one is left
   */
  public void end(String usage) {
    if (!rest.isEmpty()) {
      throw new UsageException("%s: expected %s, found '%s'", entry, usage, rest.get(0));
    }
  }
}
