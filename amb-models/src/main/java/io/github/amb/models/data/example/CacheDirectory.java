package io.github.amb.models.data.example;

import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.Reading;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.file.SystemText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * The directory of decoded data that processes share: {@code AMB_CACHE_DIR}, or {@code amb} in
 * {@code XDG_CACHE_HOME}, or {@code ~/.cache/amb}. It may be deleted at any time.
 */
public final class CacheDirectory {
  private CacheDirectory() {}

  /**
   * The user's cache directory, which need not exist.
   *
   * @throws IOException if the user has no home directory
   */
  public static Path usual() throws IOException {
    return of(System.getenv(), System.getProperty("user.home"));
  }

  static Path of(Map<String, String> environment, String home) throws IOException {
    String chosen = environment.getOrDefault("AMB_CACHE_DIR", "");
    if (!chosen.isEmpty()) {
      return Path.of(chosen);
    }
    // The XDG base directory specification says to ignore a relative path.
    Path base = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
    if (!base.isAbsolute() && SystemText.isDecoded(home)) {
      base = Path.of(home, ".cache");
    }
    if (!base.isAbsolute()) {
      throw new IOException("no home directory for a cache; set AMB_CACHE_DIR");
    }
    return base.resolve("amb");
  }

  /**
   * Creates a complete file, or none. Several processes may call this at once. Removes what ended
   * processes have left in the folder.
   *
   * @throws IOException if the folder or the content cannot be written, or another user can change
   *     the folder
   */
  static void put(Path file, AtomicFile.Content content) throws IOException {
    Files.createDirectories(file.getParent());
    if (!SharedPlace.isTrustedFolder(file.getParent())) {
      throw new IOException(
          file.getParent() + ": expected a directory that no other user can change");
    }
    removeAbandoned(file.getParent());
    AtomicFile.DURABLE.create(file, content);
  }

  /** Removes parts that nobody has written to for a day. */
  private static void removeAbandoned(Path folder) {
    Instant limit = Instant.now().minus(1, ChronoUnit.DAYS);
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, "*.*-*.part")) {
      for (Path part : parts) {
        if (SharedPlace.isOwn(part)
            && Files.getLastModifiedTime(part).toInstant().isBefore(limit)) {
          Files.deleteIfExists(part);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another process removes them, too, and the file is made without it.
    }
  }

  /**
   * A directory from which native code may be loaded, below the cache or in the temporary
   * directory.
   *
   * @throws UncheckedIOException if neither can be written
   * @see SharedPlace#forPrograms
   */
  public static Path forPrograms() {
    try {
      return SharedPlace.forPrograms(candidates());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "expected a directory for native code, found none that can be written ("
              + e.getMessage()
              + "); set AMB_CACHE_DIR",
          e);
    }
  }

  private static List<Path> candidates() {
    return Reading.orElse(List.of(), () -> List.of(usual().resolve("native")));
  }
}
