package io.github.amb.runtime.config;

import io.github.amb.core.option.Setting;
import java.util.List;
import java.util.Map;

/**
 * Options of a training run that stand in a file, each with its file and line. No file gives a
 * command, a host, an address of ranks or plugins, as somebody else may have written it.
 */
public final class PlacedOptions {
  private final Map<String, Setting<?>> known = CommandLine.byName();
  private final Settings.Reader given = new Settings.Reader();

  /**
   * Adds an option, and checks its name and value.
   *
   * @param key its name; underscores are dashes
   * @param value as the command line takes it; null if the file has no single value there
   * @param place file and line
   * @param problems receives a line if the name is unknown, the option belongs on the command line
   *     alone or is there already, or the value is out of range
   */
  public void add(String key, String value, String place, List<String> problems) {
    String name = key.replace('_', '-');
    Setting<?> setting = known.get(name);
    String where = place + ": " + key;
    if (setting == null) {
      problems.add("%s: unknown key '%s'%s".formatted(place, key, CommandLine.suggestion(name)));
    } else if (setting.role() == Setting.Role.ORDER) {
      problems.add(
          "%s: expected --%s on the command line, found it in a file"
              .formatted(where, setting.name()));
    } else if (value == null) {
      problems.add("%s: expected %s, found no single value".formatted(where, setting.range()));
    } else {
      if (given.has(setting)) {
        problems.add(second(where, value));
      }
      given.put(setting, where, value, place, problems);
    }
  }

  /** The problem of a second value where one is expected. */
  static String second(String where, String text) {
    return where + ": expected one value, found a second one, '" + text + "'";
  }

  /** The options added so far; all others have their defaults. */
  public Settings settings() {
    return given.settings();
  }
}
