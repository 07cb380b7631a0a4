package io.github.amb.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;

/** A log that holds lines in memory while the disk is full. */
public final class LogFile implements AutoCloseable {
  private final Path path;
  private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
  private FileChannel channel;
  private long heldBytes;
  private long end; // of the file, in bytes

  public LogFile(Path path) {
    this.path = path;
  }

  /**
   * Opens the file for appending. Without this call, the first line opens it.
   *
   * @param how whether the file may, must or must not exist
   */
  public void open(StandardOpenOption how) throws IOException {
    channel =
        FileChannel.open(
            BoundedFile.expectFileToWrite(path),
            how,
            StandardOpenOption.APPEND,
            LinkOption.NOFOLLOW_LINKS);
    end = channel.size();
  }

  /** Name of the file in the run directory. */
  public String name() {
    return path.getFileName().toString();
  }

  /** Accepts a line, which includes its line feed. */
  public void add(byte[] line) {
    lines.add(line);
    heldBytes += line.length;
  }

  /** Total bytes of lines that are not written yet. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Number of lines that are not written yet. */
  public int heldLines() {
    return lines.size();
  }

  /** Writes all held lines. Each is written completely or not at all. */
  public void flush() throws IOException {
    if (channel == null && !lines.isEmpty()) {
      open(StandardOpenOption.CREATE);
    }
    while (!lines.isEmpty()) {
      write(lines.peek());
      heldBytes -= lines.remove().length;
    }
  }

  /** Puts what was written on the disk. */
  public void force() throws IOException {
    if (channel != null) {
      channel.force(false);
    }
  }

  private void write(byte[] line) throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      channel.truncate(end);
      throw e;
    }
    end += line.length;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
