package io.github.amb.plots;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Files whose places the program chooses, among files that others may have made: in a run
 * directory, for one. Nothing is written through a symbolic link, nor into a file that has another
 * name, too.
 */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Makes a folder.
   *
   * @param root what the user named, which may be a link
   * @param folder at or below it
   * @throws UsageException if a folder below the root is a link, or is none
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
   * Starts a file afresh; its folder is there.
   *
   * @throws UsageException if it is a link, or no plain file
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

  /** Writes a file afresh; its folder is there. */
  public static Path write(Path file, byte[] content) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(content);
    }
    return file;
  }

  private static UsageException problem(Path path, String expected) {
    String found = Files.isSymbolicLink(path) ? "a symbolic link" : "something else";
    return new UsageException(
        "%s: expected %s, found %s: remove it, or choose another place with --out"
            .formatted(path, expected, found));
  }
}
