package io.github.amb.models.data.example;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.Checksum;

/** Checksums of the beginnings of files. */
final class FileChecksum {
  private static final int BUFFER = 1 << 18;

  private FileChecksum() {}

  /**
   * Adds the first {@code length} bytes of a file to a checksum.
   *
   * @throws EOFException if there are fewer
   */
  static void update(Checksum checksum, Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      update(checksum, channel, length);
    }
  }

  /**
   * Adds the first {@code length} bytes of a file to a checksum.
   *
   * @throws EOFException if there are fewer
   */
  static void update(Checksum checksum, FileChannel channel, long length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    for (long start = 0; start < length; start += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), length - start));
      if (channel.read(buffer, start) <= 0) {
        throw new EOFException("the end of the file instead of " + (length - start) + " bytes");
      }
      checksum.update(buffer.flip());
    }
  }
}
