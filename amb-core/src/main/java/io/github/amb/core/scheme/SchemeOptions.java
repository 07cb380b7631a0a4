package io.github.amb.core.scheme;

import io.github.amb.core.option.OptionValues;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;

/**
 * What a scheme is made from. Immutable.
 *
 * @param batchSize examples per worker and step, B, positive
 * @param workers number of workers, n; 0 for training in one process
 * @param values of the scheme's options
 */
public record SchemeOptions(int batchSize, int workers, OptionValues values) {
  /** No options but what every scheme needs. */
  public SchemeOptions(int batchSize, int workers) {
    this(batchSize, workers, OptionValues.NONE);
  }

  /**
   * These options and one more.
   *
   * @param value replaces an earlier one; null changes nothing
   */
  public <T> SchemeOptions with(Setting<T> option, T value) {
    return new SchemeOptions(batchSize, workers, values.with(option, value));
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

  /** The value given, else the option's own, else null. */
  public <T> T get(Setting<T> option) {
    return values.get(option);
  }
}
