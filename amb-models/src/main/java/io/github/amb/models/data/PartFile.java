package io.github.amb.models.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * What there is of a file that is still to come, beside it as {@code <file>.part}. Nothing is
 * written through a link of that name.
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
   * Bytes that are there.
   *
   * @throws IOException if something else than a plain file has the name
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

  /** The empty file; its folder is made. */
  OutputStream create() throws IOException {
    length();
    Files.createDirectories(part.toAbsolutePath().getParent());
    Files.deleteIfExists(part);
    return Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** The file that is there, to write on. */
  OutputStream append() throws IOException {
    return Files.newOutputStream(part, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
  }

  /** Gives the file its name. */
  void finish() throws IOException {
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes it if it is there and is a plain file. */
  void discard() throws IOException {
    if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(part);
    }
  }
}
