package io.github.amb.core.plugin;

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

  /** The kind of entry, or a class of that kind. */
  Class<E> kind();

  /** The entries, in the order for help; called once per process. */
  List<E> entries();
}
