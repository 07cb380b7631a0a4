package io.github.amb.core.file;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Gives a file its name when its content is on the disk, so that a crash leaves no broken file. */
public final class DurableName {
  private DurableName() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes to {@code part}, which does not exist yet. */
    void writeTo(Path part) throws IOException;
  }

  /**
   * Makes a file that appears complete and on the disk, or not at all. Several processes may make
   * the same one at once.
   *
   * @param name its path; a file of that name is replaced
   * @param content writes it, beside its name
   */
  public static void create(Path name, Content content) throws IOException {
    // Of this call alone, as another process may write the same file.
    Path part = name.resolveSibling(name.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      content.writeTo(part);
      give(part, name);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Renames a file atomically. Content and name are on the disk when the call returns.
   *
   * @param part a complete file
   * @param name in the same directory; a file of that name is replaced
   */
  public static void give(Path part, Path name) throws IOException {
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(part, name, StandardCopyOption.ATOMIC_MOVE);
    sync(name.toAbsolutePath().getParent());
  }

  /** Some file systems of virtual machines and networks have no such call for directories. */
  private static void force(FileChannel directory) {
    try {
      directory.force(true);
    } catch (IOException e) {
      // The names are as durable as this file system makes them.
    }
  }

  /**
   * Makes the names in a directory durable, as far as its file system can. Windows keeps them
   * itself, and opens no directory.
   */
  public static void sync(Path directory) throws IOException {
    if (File.separatorChar == '\\') {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      force(channel);
    }
  }
}
