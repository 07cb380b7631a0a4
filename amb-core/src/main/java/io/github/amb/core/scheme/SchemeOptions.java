package io.github.amb.core.scheme;

import io.github.amb.core.command.Setting;
import io.github.amb.core.command.UsageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The options that a scheme is made from. Instances are immutable. */
public final class SchemeOptions {
  private final int batchSize;
  private final int workers;
  private final Map<String, Object> given;

  /**
   * No options but what every scheme needs.
   *
   * @param batchSize examples per worker and step, B, positive
   * @param workers number of workers, n; 0 for training in one process
   */
  public SchemeOptions(int batchSize, int workers) {
    this(batchSize, workers, Map.of());
  }

  private SchemeOptions(int batchSize, int workers, Map<String, Object> given) {
    this.batchSize = batchSize;
    this.workers = workers;
    this.given = given;
  }

  /**
   * These options and one more.
   *
   * @param value replaces an earlier one; null changes nothing
   */
  public <T> SchemeOptions with(Setting<T> option, T value) {
    if (value == null) {
      return this;
    }
    Map<String, Object> all = new LinkedHashMap<>(given);
    all.put(option.name(), value);
    return new SchemeOptions(batchSize, workers, all);
  }

  /**
   * These options and one more, as text.
   *
   * @param text replaces an earlier value; null changes nothing
   * @throws UsageException if the text is not of the option's type or out of range
   */
  public <T> SchemeOptions withText(Setting<T> option, String text) {
    return text == null ? this : with(option, option.parse("--" + option.name(), text));
  }

  /** Examples per worker and step, B. */
  public int batchSize() {
    return batchSize;
  }

  /** Number of workers, n; 0 for training in one process. */
  public int workers() {
    return workers;
  }

  /** The names of the options given. */
  Set<String> given() {
    return given.keySet();
  }

  /** The value given, else the option's own, else null. */
  @SuppressWarnings("unchecked") // Options of one name have one type.
  public <T> T get(Setting<T> option) {
    return (T) given.getOrDefault(option.name(), option.fallback());
  }
}
