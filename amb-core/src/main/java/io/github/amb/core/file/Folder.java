package io.github.amb.core.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a folder holds. */
public final class Folder {
  private Folder() {}

  /**
   * The files and folders in it, by name.
   *
   * @throws IOException if it cannot be read
   */
  public static List<Path> entries(Path folder) throws IOException {
    return sorted(Files.list(folder));
  }

  /**
   * The names of the files and folders in it, sorted.
   *
   * @throws IOException if it cannot be read
   */
  public static List<String> names(Path folder) throws IOException {
    return entries(folder).stream().map(entry -> entry.getFileName().toString()).toList();
  }

  /**
   * The regular files in it and in the folders below, by path. Links to folders are not followed.
   *
   * @throws IOException if one of the folders cannot be read
   */
  public static List<Path> files(Path folder) throws IOException {
    return sorted(Files.walk(folder).filter(Files::isRegularFile));
  }

  private static List<Path> sorted(Stream<Path> found) throws IOException {
    try (found) {
      return found.sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
