package io.github.amb.core.record.disk;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Gives a file its name when its content is on the disk, so that a crash leaves no broken file. */
public final class DurableName {
  private DurableName() {}

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

  /** Makes the names in a directory durable. Windows keeps them itself, and opens no directory. */
  public static void sync(Path directory) throws IOException {
    if (File.separatorChar == '\\') {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
