package io.github.amb.core.file;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Gives a file or directory its name when it is complete, so that a kill leaves no broken one. */
public enum AtomicFile {
  /** A failure of the power may undo the name, or leave it with a part of the content. */
  ATOMIC,

  /** Content and name are on the disk when a call returns. */
  DURABLE;

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes to {@code part}, which does not exist yet. */
    void writeTo(Path part) throws IOException;
  }

  /**
   * Makes a file or directory that appears complete or not at all. Several processes may make the
   * same one at once.
   *
   * @param name its path; a file of that name is replaced
   * @param content writes it, beside its name; the files of a directory to the disk, too
   */
  public void create(Path name, Content content) throws IOException {
    // Of this call alone, as another process may write the same file.
    Path part = name.resolveSibling(name.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      content.writeTo(part);
      give(part, name);
    } finally {
      Disk.REAL.delete(part);
    }
  }

  /**
   * Renames a file or directory atomically.
   *
   * @param part a complete file, or a directory of files that are on the disk
   * @param name on the same file system; a file of that name is replaced
   */
  public void give(Path part, Path name) throws IOException {
    if (this == DURABLE) {
      sync(part);
    }
    Files.move(part, name, StandardCopyOption.ATOMIC_MOVE);
    if (this == DURABLE) {
      sync(name.toAbsolutePath().getParent());
    }
  }

  /**
   * Puts a file, or the names in a directory, on the disk. Windows keeps names itself, and opens no
   * directory.
   */
  public static void sync(Path path) throws IOException {
    boolean directory = Files.isDirectory(path);
    if (directory && File.separatorChar == '\\') {
      return;
    }
    try (FileChannel channel =
        FileChannel.open(path, directory ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
      try {
        channel.force(true);
      } catch (IOException e) {
        // Some file systems of virtual machines and networks have no such call for directories.
        if (!directory) {
          throw e;
        }
      }
    }
  }
}
