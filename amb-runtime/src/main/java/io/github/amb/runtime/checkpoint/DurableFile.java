package io.github.amb.runtime.checkpoint;

import io.github.amb.models.data.source.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Writes files that are on the disk when the call returns, and computes their checksums. */
final class DurableFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private DurableFile() {}

  /** Writes a file's content. */
  @FunctionalInterface
  interface Content {
    /** Writes to {@code out}; does not close it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a new file durably.
   *
   * @param file its path
   * @param content writes the content
   * @return length and checksum of the file
   */
  static Manifest.FileSum write(Path file, Content content) throws IOException {
    MessageDigest digest = Sha256.digest();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      OutputStream out =
          new BufferedOutputStream(
              new DigestOutputStream(Channels.newOutputStream(channel), digest), BUFFER_BYTES);
      content.writeTo(out);
      out.flush();
      channel.force(true);
      return new Manifest.FileSum(channel.size(), HexFormat.of().formatHex(digest.digest()));
    }
  }
}
