package io.github.amb.runtime.config;

import io.github.amb.core.option.Setting;
import java.util.List;

/**
 * Options that belong together, as {@code amb train --help} and the reference page show them.
 *
 * @param name what the user types after {@code --help}
 * @param title what the options are about, a few words
 * @param settings the options, in the order of help
 */
record OptionGroup(String name, String title, List<Setting<?>> settings) {
  OptionGroup(String name, String title, Setting<?>... settings) {
    this(name, title, List.of(settings));
  }
}
