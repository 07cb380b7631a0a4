package io.github.amb.models.data;

import java.nio.file.Path;
import java.util.List;

/** One data set that can be loaded by name. */
interface DataSetDefinition {
  /** What the user calls it. */
  String name();

  /** One line for {@code amb data list}. */
  String summary();

  /**
   * Loads or generates it.
   *
   * @param directory where its files are; null if the user named none
   * @param seed the run's seed; only generated data may depend on it
   * @throws io.github.amb.core.command.UsageException if files are missing or malformed
   */
  DataSet load(Path directory, long seed);

  /** Its files; empty for generated data. */
  default List<PublishedFile> files() {
    return List.of();
  }

  /** Folder of its files inside a data directory. */
  default String folder() {
    return name();
  }

  /** Addresses under which each file is found, best first; none for generated data. */
  default List<String> mirrors() {
    return List.of();
  }
}
