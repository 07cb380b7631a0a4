package io.github.amb.runtime.config;

import io.github.amb.core.option.Setting;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Options that belong together, as {@code amb train --help} and the reference page show them.
 *
 * @param name what the user types after {@code --help}
 * @param title what the options are about, a few words
 * @param settings the options, in the order of help
 */
record OptionGroup(String name, String title, List<Setting<?>> settings) {
  /** The group of the options that a class has as public constants, in the order of its source. */
  OptionGroup(String name, String title, Class<?> options) {
    this(name, title, constants(options));
  }

  /** The options that a class has as public constants. */
  static List<Setting<?>> constants(Class<?> options) {
    List<Setting<?>> found = new ArrayList<>();
    try {
      for (Field field : options.getFields()) {
        if (field.get(null) instanceof Setting<?> setting) {
          found.add(setting);
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }
}
