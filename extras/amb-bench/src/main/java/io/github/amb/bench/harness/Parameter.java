package io.github.amb.bench.harness;

import io.github.amb.core.option.Setting;
import java.util.List;
import java.util.stream.Stream;

/** The kinds of parameters that a benchmark has. */
public final class Parameter {
  /** Where a benchmark finds the files of its data set; none for data without files. */
  public static final Setting<String> DATA_DIR =
      text("data-dir", null, "a directory", "where the data set's files are");

  private Parameter() {}

  /** An integer of at least {@code min}. */
  public static Setting<Integer> integer(String name, int fallback, int min, String help) {
    return Setting.integer(name, fallback, min).in("an integer of at least " + min).help(help);
  }

  /** Integers of at least {@code min}, separated by commas. */
  public static Setting<List<Integer>> integers(
      String name, String fallback, int min, String help) {
    return Setting.integer(name, null, min)
        .list(Stream.of(fallback.split(",")).map(Integer::valueOf).toList())
        .in("integers of at least " + min + ", as " + fallback)
        .help(help);
  }

  /** Seconds above 0. */
  public static Setting<Double> seconds(String name, double fallback, String help) {
    return Setting.positive(name, fallback).in("seconds above 0").help(help);
  }

  /** Any text. */
  public static Setting<String> text(String name, String fallback, String expected, String help) {
    return Setting.text(name, fallback).in(expected).help(help);
  }
}
