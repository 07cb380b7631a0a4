package io.github.amb.models.data;

import io.github.amb.core.command.Program;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Where decoded data are kept for other processes: {@code AMB_CACHE_DIR}, else {@code amb} in
 * {@code XDG_CACHE_HOME}, else {@code ~/.cache/amb}. It may be deleted at any time.
 */
final class CacheDirectory {
  private CacheDirectory() {}

  /** What a file is to hold. */
  interface Content {
    /**
     * Writes all of it.
     *
     * @param channel to an empty file
     */
    void writeTo(FileChannel channel) throws IOException;
  }

  /**
   * The user's; it need not exist.
   *
   * @throws IOException if there is no home for it
   */
  static Path usual() throws IOException {
    return of(System.getenv(), System.getProperty("user.home"));
  }

  static Path of(Map<String, String> environment, String home) throws IOException {
    String chosen = environment.getOrDefault("AMB_CACHE_DIR", "");
    if (!chosen.isEmpty()) {
      return Path.of(chosen);
    }
    // To be ignored where it is relative, says the XDG base directory specification.
    Path base = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
    if (!base.isAbsolute() && Program.isDecoded(home)) {
      base = Path.of(home, ".cache");
    }
    if (!base.isAbsolute()) {
      throw new IOException("no home directory for a cache; set AMB_CACHE_DIR");
    }
    return base.resolve("amb");
  }

  /**
   * Puts a whole file into place, or none. Several processes may do so at once.
   *
   * @throws IOException if its folder cannot be written or the content cannot be had
   */
  static void put(Path file, Content content) throws IOException {
    Files.createDirectories(file.getParent());
    String writer = ".%s-%x.part".formatted(ProcessHandle.current().pid(), System.nanoTime());
    Path part = file.resolveSibling(file.getFileName() + writer);
    try {
      write(part, content);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** On the disk before it gets its name, so that a crash leaves no file with holes. */
  private static void write(Path part, Content content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      content.writeTo(channel);
      channel.force(true);
    }
  }
}
