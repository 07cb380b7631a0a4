package io.github.amb.core.option;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Values of options, each of its option's type. Immutable. */
public final class OptionValues {
  /** No option has a value of its own. */
  public static final OptionValues NONE = new OptionValues(Map.of());

  private final Map<String, Object> given;

  private OptionValues(Map<String, Object> given) {
    this.given = given;
  }

  /**
   * These values and one more.
   *
   * @param value replaces an earlier one; null changes nothing
   */
  public <T> OptionValues with(Setting<T> option, T value) {
    if (value == null) {
      return this;
    }
    Map<String, Object> all = new LinkedHashMap<>(given);
    all.put(option.name(), value);
    return new OptionValues(all);
  }

  /** The value given, else the option's own, else null. */
  @SuppressWarnings("unchecked") // Options of one name have one type.
  public <T> T get(Setting<T> option) {
    return (T) given.getOrDefault(option.name(), option.fallback());
  }

  /** The value given, else the option's own, else {@code usual}. */
  public <T> T get(Setting<T> option, T usual) {
    T value = get(option);
    return value == null ? usual : value;
  }

  /** Whether a value was given. */
  public boolean has(Setting<?> option) {
    return given.containsKey(option.name());
  }

  /** The names of the options given. */
  public Set<String> names() {
    return given.keySet();
  }
}
