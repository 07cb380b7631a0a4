package io.github.amb.models.data;

import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Registry;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.source.Download;
import io.github.amb.models.data.source.PublishedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One data set that can be loaded by name. */
public interface DataSetDefinition extends Registry.Entry {
  /**
   * Loads or generates the data set.
   *
   * @param directory where its files are; null if the user set none
   * @param seed the run's seed; only generated data may depend on it
   * @throws io.github.amb.core.option.UsageException if files are missing or malformed
   */
  DataSet load(Path directory, long seed);

  /**
   * This data set as a user chose it.
   *
   * @param text its name with the arguments
   * @param arguments what followed the name; what is not consumed is rejected
   * @throws io.github.amb.core.option.UsageException if an argument is wrong
   */
  default DataSetDefinition chosen(String text, EntryArguments arguments) {
    return this;
  }

  /** Number of training examples as published or generated, known without its files. */
  int trainingExamples();

  /** Number of test examples as published or generated, known without its files. */
  int testExamples();

  /** The name of its usual network, with arguments; null if the user must choose one. */
  default String network() {
    return null;
  }

  /** Its files; empty if it needs none. */
  default List<PublishedFile> files() {
    return List.of();
  }

  /** Whether checksums of its files are published. */
  default boolean hasChecksums() {
    return files().stream().anyMatch(file -> file.plainSha256() != null);
  }

  /** Whether one of its published files has that SHA-256. */
  default boolean isPublished(String sha256) {
    return files().stream().anyMatch(file -> file.matches(sha256));
  }

  /** SHA-256 of the files that are read, by name; empty if it needs none. */
  default Map<String, String> checksums(Path directory) {
    return new DataDirectory(this, directory).checksums();
  }

  /** Folder of its files inside a data directory. */
  default String folder() {
    return name();
  }

  /**
   * Downloads the files to the data set's folder in a data directory.
   *
   * @param progress receives a line per file
   * @throws IOException if a file cannot be downloaded
   */
  default void fetch(Path directory, Download download, Consumer<String> progress)
      throws IOException {
    progress.accept("data set '" + name() + "' needs no download: there is nothing to fetch");
  }
}
