package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Suggestion;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.config.PlacedValue;
import io.github.amb.runtime.plot.PlotCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.cli.Option;

/**
 * What an experiment's file may say of a figure.
 *
 * @param plot the command {@code amb plot}
 */
record FigureOptions(Command plot) {

  /** With the command of this program. */
  static FigureOptions ofProgram() {
    return new FigureOptions(new PlotCommand());
  }

  /**
   * Adds a problem for each panel that does not exist.
   *
   * @param panel one name, or several with commas between them
   */
  void checkPanel(String panel, String place, List<String> problems) {
    List<String> panels = plot.values().get("subset");
    for (String name : panel.split(",")) {
      if (!name.isEmpty() && !panels.contains(name.replace('-', '_'))) {
        problems.add(
            "%s: unknown panel '%s'%s".formatted(place, name, Suggestion.forName(name, panels)));
      }
    }
  }

  /**
   * The words of a command line.
   *
   * @param given options and their values; an option without a value has {@code true}, {@code
   *     false} or nothing
   * @param problems receives a line for each option that is unknown or has the wrong value
   */
  List<String> words(Map<String, PlacedValue> given, List<String> problems) {
    List<String> words = new ArrayList<>();
    given.forEach((key, value) -> words.addAll(words(key.replace('_', '-'), value, problems)));
    return words;
  }

  private List<String> words(String name, PlacedValue value, List<String> problems) {
    String text = Objects.toString(value.option(), "");
    Option option = plot.options().getOption(name);
    if (option == null) {
      List<String> known = plot.options().getOptions().stream().map(Option::getLongOpt).toList();
      problems.add(
          "%s: unknown option '%s' of amb plot%s"
              .formatted(value.place(), name, Suggestion.forName(name, known)));
    } else if (value.fields() != null) {
      problem(name, value, "a value, a list or nothing", problems);
    } else if (option.hasArg() && text.isEmpty()) {
      problem(name, value, "a value", problems);
    } else if (!option.hasArg() && !text.matches("true|false|")) {
      problem(name, value, "true, false or nothing", problems);
    } else if (text.equals("false")) {
      return List.of();
    } else if (text.isEmpty() || text.equals("true")) {
      return List.of("--" + name);
    } else {
      return valued(name, option, value);
    }
    return List.of();
  }

  /** The option once with all its values, or once for each value if it takes one at a time. */
  private static List<String> valued(String name, Option option, PlacedValue value) {
    List<PlacedValue> values = value.items() == null ? List.of(value) : value.items();
    List<String> words = new ArrayList<>();
    for (PlacedValue item : values) {
      if (words.isEmpty() || !option.hasArgs()) {
        words.add("--" + name);
      }
      words.add(item.text());
    }
    return words;
  }

  private static void problem(
      String name, PlacedValue value, String expected, List<String> problems) {
    problems.add(
        "%s: %s: expected %s, found %s".formatted(value.place(), name, expected, value.describe()));
  }
}
