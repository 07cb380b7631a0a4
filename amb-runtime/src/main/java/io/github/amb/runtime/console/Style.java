package io.github.amb.runtime.console;

import java.util.Map;

/**
 * Colors, or none.
 *
 * @param colored whether texts are painted
 */
record Style(boolean colored) {
  static final String BOLD = "\033[1m";
  static final String CYAN = "\033[36m";
  static final String YELLOW = "\033[33m";

  private static final String END = "\033[0m";

  /** Colors, unless {@code NO_COLOR} has a value (https://no-color.org). */
  static Style of(Map<String, String> environment) {
    return new Style(environment.getOrDefault("NO_COLOR", "").isEmpty());
  }

  /** {@code text} in a color; unchanged if the color is empty or colors are off. */
  String paint(String text, String color) {
    return colored && !color.isEmpty() ? color + text + END : text;
  }
}
