package io.github.amb.runtime.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of all options of a run. Immutable. */
public final class Settings {
  private final Map<String, String> given;

  /**
   * @param given text of each option that was given, by long name; already checked
   */
  Settings(Map<String, String> given) {
    this.given = Map.copyOf(given);
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
