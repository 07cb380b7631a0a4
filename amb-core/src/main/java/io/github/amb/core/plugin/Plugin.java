package io.github.amb.core.plugin;

import java.util.List;

/**
 * Adds entries of one kind to the program. The class is public, has a public constructor without
 * parameters, and is named in {@code META-INF/services/io.github.amb.core.plugin.Plugin} of its
 * jar.
 *
 * @param <E> the kind of entry, such as {@code Codecs.Entry}
 */
public interface Plugin<E extends Registry.Entry> {
  /**
   * Version of the interfaces that a plugin is written for. A jar has it in its manifest as {@code
   * Amb-Api-Version}; it changes when a plugin has to be compiled again.
   */
  int API_VERSION = 1;

  /** The kind of entry. */
  Class<E> kind();

  /** The entries, in the order for help; called once per process. */
  List<E> entries();
}
