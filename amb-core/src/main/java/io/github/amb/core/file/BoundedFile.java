package io.github.amb.core.file;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads foreign files up to a limit, after a check that memory suffices. What is no file, such as a
 * pipe or a directory, is not opened: it might never end, or make the program wait for ever.
 */
public final class BoundedFile {
  private static final int MEGABYTE = 1 << 20;

  private BoundedFile() {}

  /**
   * Passes for a file, and for a path where nothing is.
   *
   * @return {@code file}
   * @throws UsageException if it is a directory, a pipe, a socket or a device, or a link to one
   */
  public static Path expectFile(Path file) {
    if (!Files.isRegularFile(file) && Files.exists(file)) {
      throw new UsageException(
          "%s: expected a file, found a %s; take it away",
          file, Files.isDirectory(file) ? "directory" : "pipe, socket or device");
    }
    return file;
  }

  /**
   * As {@link #expectFile}, for a file that a run writes to.
   *
   * @throws IOException if it is no file
   */
  public static Path expectFileToWrite(Path file) throws IOException {
    try {
      return expectFile(file);
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Opens a file that a run writes to at its end, and makes it if it is missing. A symbolic link is
   * not followed.
   *
   * @throws IOException if it is no file, or cannot be opened
   */
  public static OutputStream append(Path file) throws IOException {
    return Files.newOutputStream(
        expectFileToWrite(file),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Opens a file.
   *
   * @throws UsageException if it is no file
   * @throws IOException if it cannot be opened
   */
  public static InputStream open(Path file) throws IOException {
    return Files.newInputStream(expectFile(file));
  }

  /**
   * Reads all bytes of a file that the user has named, which may be a pipe, as the shell makes it
   * for {@code <(command)}.
   *
   * @param what what the file is, for the message
   * @param limit maximum number of bytes, below 2^31 − 1
   * @throws UsageException if the file is longer
   * @throws IOException if it cannot be read
   */
  public static byte[] readNamed(Path file, String what, int limit) throws IOException {
    if (Files.isRegularFile(file) || Files.isDirectory(file)) {
      return read(file, what, limit);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString(), what, limit);
    }
  }

  /** As {@link #readNamed(Path, String, int)}, by the file's name. */
  public static byte[] readNamed(String file, String what, int limit) throws IOException {
    return readNamed(Path.of(file), what, limit);
  }

  /**
   * Reads all bytes of a file.
   *
   * @param what what the file is, for the message
   * @param limit maximum number of bytes, below 2^31 − 1
   * @throws UsageException if it is no file, is longer, or needs more memory than Java has
   * @throws IOException if it cannot be read
   */
  public static byte[] read(Path file, String what, int limit) throws IOException {
    expectSize(file, what, limit);
    return Files.readAllBytes(file);
  }

  /**
   * Passes for a file that may be read as a whole.
   *
   * @param what what the file is, for the message
   * @param limit maximum number of bytes
   * @throws UsageException if it is no file, is longer, or needs more memory than Java has
   * @throws IOException if its size cannot be read
   */
  public static void expectSize(Path file, String what, int limit) throws IOException {
    long size = Files.size(expectFile(file));
    if (size > limit) {
      throw tooLong(file.toString(), what, limit, size + " bytes");
    }
    requireMemory(file.toString(), size);
  }

  /**
   * Reads all bytes of a stream.
   *
   * @param source the file of the stream, for messages
   * @param what what the content is, for messages
   * @param limit maximum number of bytes, below 2^31 − 1
   * @throws UsageException if there are more
   * @throws IOException if it cannot be read
   */
  public static byte[] read(InputStream in, String source, String what, int limit)
      throws IOException {
    byte[] bytes = in.readNBytes(limit + 1);
    if (bytes.length > limit) {
      throw tooLong(source, what, limit, "more");
    }
    return bytes;
  }

  private static UsageException tooLong(String source, String what, int limit, String found) {
    return new UsageException(
        "%s: expected %s of at most %d bytes, found %s", source, what, limit, found);
  }

  /**
   * Checks that Java may use enough memory for the decoded content of a file.
   *
   * @param source the file, for the message
   * @param bytes memory that the decoded content needs
   * @throws UsageException if Java has less memory
   */
  public static void requireMemory(String source, long bytes) {
    long most = Runtime.getRuntime().maxMemory();
    if (bytes > most) {
      throw new UsageException(
          "%s: expected data that fit into the %d MB that Java may use, found %d MB; give Java more, as with AMB_OPTIONS=-Xmx%dm",
          source, most / MEGABYTE, megabytes(bytes), 2 * megabytes(bytes));
    }
  }

  private static long megabytes(long bytes) {
    return bytes / MEGABYTE + 1;
  }
}
