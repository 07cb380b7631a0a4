package io.github.amb.core.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;

/** A log that keeps the lines which the disk has not taken yet. */
final class LogFile implements AutoCloseable {
  private final Path path;
  private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
  private FileChannel channel;
  private long heldBytes;

  LogFile(Path path) {
    this.path = path;
  }

  /**
   * Opens the file to append to it; otherwise the first line does.
   *
   * @param how whether it may, must or must not exist
   */
  void open(StandardOpenOption how) throws IOException {
    channel = FileChannel.open(path, how, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
  }

  /** Its name in the run directory. */
  String name() {
    return path.getFileName().toString();
  }

  /** Takes a line, with its end. */
  void add(byte[] line) {
    lines.add(line);
    heldBytes += line.length;
  }

  /** Bytes of lines that are not written yet. */
  long heldBytes() {
    return heldBytes;
  }

  /** Number of lines that are not written yet. */
  int heldLines() {
    return lines.size();
  }

  /** Writes all lines that are held; each is written whole or not at all. */
  void flush() throws IOException {
    if (channel == null && !lines.isEmpty()) {
      open(StandardOpenOption.CREATE);
    }
    while (!lines.isEmpty()) {
      write(lines.peek());
      heldBytes -= lines.remove().length;
    }
  }

  private void write(byte[] line) throws IOException {
    long before = channel.size();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      channel.truncate(before);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
