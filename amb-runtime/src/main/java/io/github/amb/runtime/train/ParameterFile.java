package io.github.amb.runtime.train;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The flat parameter vector as {@code checkpoints/parameters-<step>.npy}: NumPy's format 1.0, one
 * axis of little-endian float32, which {@code numpy.load} reads.
 */
final class ParameterFile {
  private static final String MAGIC = "\u0093NUMPY\u0001\0";
  private static final int ALIGNMENT = 64;
  private static final int BUFFER_BYTES = 1 << 16;

  private ParameterFile() {}

  /** Where the parameters after {@code steps} updates are. */
  static Path path(RunDirectory run, long steps) {
    return run.checkpoints().resolve("parameters-" + steps + ".npy");
  }

  /**
   * Writes {@code parameters} in one step, so that a reader sees the whole file or none.
   *
   * @param steps updates applied to them
   */
  static void write(RunDirectory run, long steps, float[] parameters) throws IOException {
    Path file = path(run, steps);
    Files.createDirectories(file.getParent());
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      write(channel, ByteBuffer.wrap(header(parameters.length)));
      writeValues(channel, parameters);
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void writeValues(FileChannel channel, float[] values) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from < values.length; from += BUFFER_BYTES / Float.BYTES) {
      int count = Math.min(values.length - from, BUFFER_BYTES / Float.BYTES);
      buffer.clear();
      buffer.asFloatBuffer().put(values, from, count);
      write(channel, buffer.limit(count * Float.BYTES));
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Magic string, version, length of the rest, and the description padded with spaces. */
  private static byte[] header(int length) {
    String text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }".formatted(length);
    int start = MAGIC.length() + Short.BYTES;
    int end = (start + text.length() + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    return ByteBuffer.allocate(end)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC.getBytes(StandardCharsets.ISO_8859_1))
        .putShort((short) (end - start))
        .put(
            (text + " ".repeat(end - start - text.length() - 1) + "\n")
                .getBytes(StandardCharsets.ISO_8859_1))
        .array();
  }

  /** SHA-256 of the file for {@code steps}, or null if there is none. */
  static String sha256(RunDirectory run, long steps) throws IOException {
    Path file = path(run, steps);
    if (!Files.exists(file)) {
      return null;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
      while (channel.read(buffer.clear()) >= 0) {
        digest.update(buffer.flip());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
