package io.github.amb.runtime.config;

import io.github.amb.core.file.Json;
import io.github.amb.core.option.OptionValues;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.Schemes;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The values of all options of a run, parsed and checked once. Immutable. */
public final class Settings {
  /** No option has a value of its own. */
  public static final Settings NONE = new Settings(Map.of());

  /** Origin of a value that was typed. */
  static final String COMMAND_LINE = "command line";

  private static final String DEFAULT = "default";
  private static final String DERIVED = "follows from other options";

  private final Map<String, Given> given;

  /**
   * A value that was given.
   *
   * @param value of the option's type
   * @param text what was written
   * @param origin {@link #COMMAND_LINE}, {@link #DERIVED}, or file and line
   */
  private record Given(Object value, String text, String origin) {}

  private Settings(Map<String, Given> given) {
    this.given = given;
  }

  /** Collects values as they are read. */
  static final class Reader {
    private final Map<String, Given> given = new LinkedHashMap<>();

    /**
     * Adds a value, in place of an earlier one.
     *
     * @param where where {@code text} was found, such as {@code --workers}, for a message
     * @param text null for a map or nothing
     * @param origin {@link #COMMAND_LINE}, or file and line
     * @param problems receives a line if the value is not of the type or out of range
     */
    void put(Setting<?> setting, String where, String text, String origin, List<String> problems) {
      if (text == null) {
        problems.add("%s: expected %s, found no single value".formatted(where, setting.range()));
      }
      Object value = text == null ? null : setting.parse(where, text, problems);
      given.put(setting.name(), new Given(value, text, origin));
    }

    /** Whether a value was added, also one out of range. */
    boolean has(Setting<?> setting) {
      return given.containsKey(setting.name());
    }

    /** The values added so far; those out of range are missing. */
    Settings settings() {
      Map<String, Given> valid = new LinkedHashMap<>(given);
      valid.values().removeIf(value -> value.value() == null);
      return new Settings(valid);
    }
  }

  /**
   * Settings that {@link #all} returned, from a {@code run.json} that {@link RecordedSettings} has
   * checked. Unknown names are ignored.
   *
   * @param recorded values by long name, which may be an older one; not modified
   */
  public static Settings of(Map<String, Object> recorded) {
    Settings settings = NONE;
    for (Setting<?> setting : TrainSettings.ALL) {
      for (String name : setting.names()) {
        Object value = recorded.get(name);
        if (value != null && !settings.has(setting)) {
          settings = settings.with(setting, value);
        }
      }
    }
    return settings;
  }

  /** The value given, or the default, or null if there is neither. */
  @SuppressWarnings("unchecked") // Options of one name have one type.
  public <T> T get(Setting<T> setting) {
    Given found = given.get(setting.name());
    return found == null ? setting.fallback() : (T) found.value();
  }

  /** The text of a value that was given; null if none was. */
  public String given(Setting<?> setting) {
    Given found = given.get(setting.name());
    return found == null ? null : found.text();
  }

  /** Whether a value was given. */
  public boolean has(Setting<?> setting) {
    return given.containsKey(setting.name());
  }

  /** Whether a value is the default, which {@code run.json} has as if it were given. */
  public boolean isDefault(Setting<?> setting) {
    return Objects.equals(get(setting), setting.fallback());
  }

  /** The values of some options that were given. */
  public OptionValues values(Collection<Setting<?>> options) {
    OptionValues values = OptionValues.NONE;
    for (Setting<?> option : options) {
      values = has(option) ? with(values, option) : values;
    }
    return values;
  }

  private <T> OptionValues with(OptionValues values, Setting<T> option) {
    return values.with(option, get(option));
  }

  /**
   * These settings with one value changed.
   *
   * @param value of the option's type, or its text
   */
  public Settings with(Setting<?> setting, Object value) {
    String text = Setting.typed(value);
    Object parsed = setting.parser().apply(text);
    return has(setting) && get(setting).equals(parsed)
        ? this
        : with(setting.name(), new Given(parsed, text, DERIVED));
  }

  /** These settings with the value that {@code others} have for one setting. */
  public Settings with(Setting<?> setting, Settings others) {
    return with(setting.name(), others.given.get(setting.name()));
  }

  private Settings with(String name, Given value) {
    return new Settings(Map.of(name, value)).over(this);
  }

  /** These settings, completed by values of {@code others}. */
  public Settings over(Settings others) {
    Map<String, Given> all = new LinkedHashMap<>(others.given);
    all.putAll(given);
    return new Settings(all);
  }

  /** These settings without the value of an option. */
  public Settings without(Setting<?> setting) {
    Map<String, Given> others = new LinkedHashMap<>(given);
    others.remove(setting.name());
    return new Settings(others);
  }

  /** Where a value is from: the default, file and line, the command line, or other options. */
  public String origin(Setting<?> setting) {
    return has(setting) ? given.get(setting.name()).origin() : DEFAULT;
  }

  /** Whether a value was not typed but follows from others. */
  public boolean isDerived(Setting<?> setting) {
    return origin(setting).equals(DERIVED);
  }

  /** File and line of a value; empty if it is not from a file. */
  public String place(Setting<?> setting) {
    String origin = origin(setting);
    return List.of(COMMAND_LINE, DERIVED, DEFAULT).contains(origin) ? "" : origin;
  }

  /** A value as {@code run.json} has it: that of a scheme's option as it was written, or null. */
  public Object recorded(Setting<?> setting) {
    return TrainSettings.OF_SCHEMES.contains(setting) ? given(setting) : get(setting);
  }

  /** Every option's value as {@code run.json} has it, by name, in the order of {@code --help}. */
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    TrainSettings.ALL.forEach(setting -> all.put(setting.name(), recorded(setting)));
    return all;
  }

  /**
   * Every option's value, however it was written, by name, in the order of {@code --help}. Equal
   * runs have equal maps.
   */
  public Map<String, String> canonical() {
    Map<String, String> all = new LinkedHashMap<>();
    TrainSettings.ALL.forEach(setting -> all.put(setting.name(), String.valueOf(get(setting))));
    // Its scheme may have another default of an option than others have.
    Schemes.ALL.find(get(TrainSettings.SCHEME)).stream()
        .flatMap(scheme -> scheme.options().stream())
        .forEach(option -> all.put(option.name(), String.valueOf(get(option))));
    return all;
  }

  /** The options given in one line of ASCII, which {@link RecordedSettings#parse} reads. */
  public String toJson() {
    Map<String, String> texts = new TreeMap<>();
    given.forEach((name, value) -> texts.put(name, value.text()));
    return Json.line(Map.of(RecordedSettings.CONFIGURATION, texts));
  }
}
