package io.github.amb.core.input;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Reads foreign files up to a limit, after a check that memory suffices. */
public final class BoundedFile {
  private static final int MEGABYTE = 1 << 20;

  private BoundedFile() {}

  /**
   * Reads all bytes of a file.
   *
   * @param what what the file is, for the message
   * @param limit maximum number of bytes, below 2^31 − 1
   * @throws UsageException if the file is longer, or needs more memory than Java has
   * @throws IOException if it cannot be read
   */
  public static byte[] read(Path file, String what, int limit) throws IOException {
    if (!Files.isRegularFile(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        return read(in, file.toString(), what, limit);
      }
    }
    long size = Files.size(file);
    if (size > limit) {
      throw tooLong(file.toString(), what, limit, size + " bytes");
    }
    requireMemory(file.toString(), size);
    return Files.readAllBytes(file);
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
        String.format(
            Locale.ROOT,
            "%s: expected %s of at most %d bytes, found %s",
            source,
            what,
            limit,
            found));
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
          String.format(
              Locale.ROOT,
              "%s: expected data that fit into the %d MB that Java may use, found %d MB;"
                  + " give Java more, as with AMB_OPTIONS=-Xmx%dm",
              source,
              most / MEGABYTE,
              megabytes(bytes),
              2 * megabytes(bytes)));
    }
  }

  private static long megabytes(long bytes) {
    return bytes / MEGABYTE + 1;
  }
}
