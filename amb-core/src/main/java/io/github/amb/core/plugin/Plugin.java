package io.github.amb.core.plugin;

import io.github.amb.core.option.UsageException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;

/**
 * Adds entries of one kind to the program. An implementation is public, has a public constructor
 * without parameters, and is listed in {@code META-INF/services/io.github.amb.core.plugin.Plugin}
 * of its jar.
 *
 * @param <E> the kind of entry, such as {@code Codecs.Entry}
 */
public interface Plugin<E extends Registry.Entry> {
  /**
   * Version of the interfaces for which a plugin is built. A jar's manifest has it as {@code
   * Amb-Api-Version}. It changes when plugins must be recompiled.
   */
  int API_VERSION = 2;

  /**
   * The kind of entry, or a class of that kind: what the class says in {@code implements
   * Plugin<E>}, unless it overrides this.
   *
   * @throws UsageException if it says so neither way
   */
  @SuppressWarnings("unchecked") // It is the class' own E.
  default Class<E> kind() {
    for (Class<?> type = getClass(); type != null; type = type.getSuperclass()) {
      for (Type implemented : type.getGenericInterfaces()) {
        if (implemented instanceof ParameterizedType own && own.getRawType() == Plugin.class) {
          return (Class<E>) own.getActualTypeArguments()[0];
        }
      }
    }
    throw new UsageException(
        "plugin %s: expected a class that implements Plugin of its kind of entry, found another; override kind()",
        getClass().getName());
  }

  /** The entries, in the order for help; called once per process. */
  List<E> entries();
}
