package io.github.amb.models.data.source;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The incomplete download of a file, {@code <file>.part} beside it. A link of that name is never
 * followed.
 */
final class PartFile {
  private final Path target;
  private final Path part;

  PartFile(Path target) {
    this.target = target;
    this.part = target.resolveSibling(target.getFileName() + ".part");
  }

  Path path() {
    return part;
  }

  /**
   * Number of bytes in the file.
   *
   * @throws IOException if something other than a plain file has the name
   */
  long length() throws IOException {
    if (!Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
      return 0;
    }
    if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          part + ": expected a plain file or none, found a link or a folder: remove it");
    }
    return Files.size(part);
  }

  /** Creates the file, empty, and its folder. */
  OutputStream create() throws IOException {
    length();
    Files.createDirectories(part.toAbsolutePath().getParent());
    Files.deleteIfExists(part);
    return Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Opens the existing file for appending. */
  OutputStream append() throws IOException {
    return Files.newOutputStream(part, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
  }

  /** Renames the file to its final name. */
  void finish() throws IOException {
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes the file if it exists and is a plain file. */
  void discard() throws IOException {
    if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(part);
    }
  }
}
