package io.github.amb.runtime.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
    MessageDigest digest = sha256();
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

  /** Makes the names in a directory durable. */
  static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Length and checksum of a file. */
  static Manifest.FileSum sum(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return sum(in);
    }
  }

  /** Length and checksum of the rest of a stream. */
  static Manifest.FileSum sum(InputStream in) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    long bytes = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
      bytes += read;
    }
    return new Manifest.FileSum(bytes, HexFormat.of().formatHex(digest.digest()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
