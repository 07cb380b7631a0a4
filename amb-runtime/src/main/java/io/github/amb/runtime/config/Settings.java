package io.github.amb.runtime.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of all options of a run. Immutable. */
public final class Settings {
  private final Map<String, String> given;

  /**
   * @param given text of each option that was given, by long name; already checked
   */
  Settings(Map<String, String> given) {
    this.given = Map.copyOf(given);
  }

  /** Settings as {@link #all} gave them, from {@code run.json}; names unknown here are left out. */
  public static Settings of(Map<String, Object> recorded) {
    Settings settings = new Settings(Map.of());
    for (Setting<?> setting : TrainSettings.ALL) {
      Object value = recorded.get(setting.name());
      if (value != null) {
        settings = settings.with(setting, text(value));
      }
    }
    return settings;
  }

  /** A recorded value as the command line takes it. */
  public static String text(Object value) {
    return value instanceof List<?> items
        ? items.stream().map(String::valueOf).collect(Collectors.joining(","))
        : value.toString();
  }

  /** The value given, or the default, or null if there is neither. */
  public <T> T get(Setting<T> setting) {
    String text = given.get(setting.name());
    return text == null ? setting.fallback() : setting.parser().parse(text);
  }

  /** Whether a value was given. */
  public boolean has(Setting<?> setting) {
    return given.containsKey(setting.name());
  }

  /** These settings with one value changed. */
  public Settings with(Setting<?> setting, Object value) {
    Map<String, String> changed = new LinkedHashMap<>(given);
    changed.put(setting.name(), value.toString());
    return new Settings(changed);
  }

  /** Every option's value by name, defaults included, in the order of {@code --help}. */
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      all.put(setting.name(), get(setting));
    }
    return all;
  }

  /** A command line that gives these settings. */
  public List<String> toArguments() {
    return given.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> "--" + e.getKey() + "=" + e.getValue())
        .toList();
  }
}
