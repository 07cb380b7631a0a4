package io.github.amb.runtime.train.directory;

import io.github.amb.core.file.BoundedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * {@code rank-<rank>.log} of a virtual rank. The file is open only during a write, as there may be
 * more ranks than a process may open files.
 */
final class RankLogFile extends OutputStream {
  private static final int BUFFER_BYTES = 2048;

  private final Path path;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int length;

  /**
   * @param path file to append to; created if it does not exist
   */
  RankLogFile(Path path) throws IOException {
    this.path = path;
    append();
  }

  @Override
  public void write(int b) throws IOException {
    if (length == buffer.length) {
      append();
    }
    buffer[length++] = (byte) b;
  }

  private void append() throws IOException {
    Files.write(
        BoundedFile.expectFileToWrite(path),
        Arrays.copyOf(buffer, length),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        LinkOption.NOFOLLOW_LINKS);
    length = 0;
  }

  @Override
  public void close() throws IOException {
    append();
  }
}
