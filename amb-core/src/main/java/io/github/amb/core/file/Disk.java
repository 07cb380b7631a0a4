package io.github.amb.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A check before each write to the disk, which lets tests and fault injection simulate a full disk.
 */
@FunctionalInterface
public interface Disk {
  /** Never fails: the write itself detects a full disk. */
  Disk REAL = () -> {};

  /**
   * Fails as a write to a full disk would.
   *
   * @throws IOException if the disk is treated as full
   */
  void check() throws IOException;

  /**
   * Called when a checkpoint is complete, and before anything relies on it.
   *
   * @param checkpoint its directory
   * @param step whose state it has
   */
  default void written(Path checkpoint, long step) throws IOException {}

  /** Deletes a directory and all that is in it, if it exists; does not follow links. */
  default void delete(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> tree = Files.walk(directory)) {
      all = tree.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      check();
      Files.deleteIfExists(file);
    }
  }
}
