package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.config.PlacedValue;
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
    given.forEach(
        (key, value) -> {
          try {
            List<String> own = words("--" + key.replace('_', '-'), value);
            List<String> rest = Arguments.parse(plot.options(), own).positional();
            UsageException.expectNone(
                rest.isEmpty() ? rest : List.of(key + ": expected true, false or nothing"));
            words.addAll(own);
          } catch (UsageException e) {
            problems.add("%s: amb plot: %s".formatted(value.place(), e.getMessage()));
          }
        });
    return words;
  }

  /** The option once with all its values, or once for each value if it takes one at a time. */
  private List<String> words(String name, PlacedValue value) {
    String text = Objects.toString(value.option(), "");
    Option option = plot.options().getOption(name);
    boolean once = option == null || option.hasArgs();
    List<String> words = new ArrayList<>();
    if (text.matches("true|false|")) {
      return text.equals("false") ? words : List.of(name);
    }
    for (PlacedValue item : value.items() == null ? List.of(value) : value.items()) {
      words.addAll(once && !words.isEmpty() ? List.of(item.text()) : List.of(name, item.text()));
    }
    return words;
  }
}
