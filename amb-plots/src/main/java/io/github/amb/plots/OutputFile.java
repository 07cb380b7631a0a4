package io.github.amb.plots;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes files to paths that the program chooses, among foreign files, such as in a run directory.
 * Never writes through a symbolic link, or to a file with a second hard link.
 */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Creates a folder.
   *
   * @param root the folder that the user named, which may be a link
   * @param folder at or below it
   * @return {@code folder}
   * @throws UsageException if a folder below the root is a link or is not a folder
   */
  public static Path folder(Path root, Path folder) throws IOException {
    Path at = root;
    for (Path name : root.relativize(folder)) {
      at = at.resolve(name);
      if (!at.equals(root)
          && Files.exists(at, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        throw problem(at, "a folder or nothing");
      }
    }
    Files.createDirectories(folder.toAbsolutePath());
    return folder;
  }

  /**
   * Creates or truncates a file; its folder must exist.
   *
   * @throws UsageException if it is a link or not a plain file
   * @throws IOException if it cannot be written
   */
  public static OutputStream create(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw problem(file, "a plain file or nothing");
    }
    Files.deleteIfExists(file);
    return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Creates or replaces a file; its folder must exist. Returns the file. */
  public static Path write(Path file, byte[] content) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(content);
    }
    return file;
  }

  private static UsageException problem(Path path, String expected) {
    String found = Files.isSymbolicLink(path) ? "a symbolic link" : "something else";
    return new UsageException(
        "%s: expected %s, found %s: remove it, or choose another place with --out",
        path, expected, found);
  }
}
