package io.github.amb.runtime.config;

import io.github.amb.core.command.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The values of all options of a run. Immutable. */
public final class Settings {
  /** Origin of a value that was typed. */
  static final String COMMAND_LINE = "command line";

  private static final String DEFAULT = "default";
  private static final String DERIVED = "follows from other options";

  private final Map<String, String> given;
  private final Map<String, String> origins;

  /**
   * @param given text of each option that was given, by long name; already checked
   */
  Settings(Map<String, String> given) {
    this(given, Map.of());
  }

  /**
   * @param given text of each given option, by long name; already checked
   * @param origins {@link #COMMAND_LINE}, or file and line, of the given values, by long name
   */
  Settings(Map<String, String> given, Map<String, String> origins) {
    this.given = Map.copyOf(given);
    this.origins = Map.copyOf(origins);
  }

  /**
   * Settings that {@link #all} returned, from a {@code run.json} that {@link RecordedSettings} has
   * checked. Unknown names are ignored.
   *
   * @param recorded values by long name; not modified
   */
  public static Settings of(Map<String, Object> recorded) {
    Settings settings = new Settings(Map.of());
    for (Setting<?> setting : TrainSettings.ALL) {
      Object value = recorded.get(setting.name());
      if (value != null) {
        settings = settings.with(setting, Setting.typed(value));
      }
    }
    return settings;
  }

  /** The value given, or the default, or null if there is neither. */
  public <T> T get(Setting<T> setting) {
    String text = given.get(setting.name());
    return text == null ? setting.fallback() : setting.parser().apply(text);
  }

  /** The text of a value that was given; null if none was. */
  public String given(Setting<?> setting) {
    return given.get(setting.name());
  }

  /** Whether a value was given. */
  public boolean has(Setting<?> setting) {
    return given.containsKey(setting.name());
  }

  /** Whether a value is the default, which {@code run.json} has as if it were given. */
  public boolean isDefault(Setting<?> setting) {
    return Objects.equals(get(setting), setting.fallback());
  }

  /** These settings with one value changed. */
  public Settings with(Setting<?> setting, Object value) {
    boolean same = has(setting) && get(setting).equals(setting.parser().apply(value.toString()));
    return same ? this : new Settings(Map.of(setting.name(), value.toString())).over(this);
  }

  /** These settings with the value that {@code others} have for one setting. */
  public Settings with(Setting<?> setting, Settings others) {
    String name = setting.name();
    Map<String, String> value = Map.of(name, others.given.get(name));
    return new Settings(value, Map.of(name, others.origin(setting))).over(this);
  }

  /** These settings, completed by values of {@code others}. */
  public Settings over(Settings others) {
    Map<String, String> all = new LinkedHashMap<>(others.given);
    all.putAll(given);
    Map<String, String> from = new LinkedHashMap<>(others.origins);
    from.keySet().removeAll(given.keySet());
    from.putAll(origins);
    return new Settings(all, from);
  }

  /** These settings without the value of an option. */
  Settings without(Setting<?> setting) {
    Map<String, String> others = new LinkedHashMap<>(given);
    others.remove(setting.name());
    return new Settings(others, origins);
  }

  /** Where a value is from: the default, file and line, the command line, or other options. */
  public String origin(Setting<?> setting) {
    return has(setting) ? origins.getOrDefault(setting.name(), DERIVED) : DEFAULT;
  }

  /** Whether a value was not typed but follows from others. */
  public boolean isDerived(Setting<?> setting) {
    return origin(setting).equals(DERIVED);
  }

  /** File and line of a value; empty if it is not from a file. */
  public String place(Setting<?> setting) {
    String origin = origins.getOrDefault(setting.name(), "");
    return origin.equals(COMMAND_LINE) || origin.equals(DERIVED) ? "" : origin;
  }

  /** Every option's value by name, defaults included, in the order of {@code --help}. */
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      all.put(setting.name(), get(setting));
    }
    return all;
  }

  /** A command line that results in these settings. */
  public List<String> toArguments() {
    return given.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> "--" + e.getKey() + "=" + e.getValue())
        .toList();
  }
}
