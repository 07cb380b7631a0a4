package io.github.amb.models.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Makes IDX content for tests. */
public final class IdxFiles {
  private IdxFiles() {}

  /** Images whose pixel i is i modulo 251. */
  static byte[] images(int count, int rows, int columns) {
    byte[] pixels = new byte[count * rows * columns];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (i % 251);
    }
    return ByteBuffer.allocate(16 + pixels.length)
        .putInt(0x803)
        .putInt(count)
        .putInt(rows)
        .putInt(columns)
        .put(pixels)
        .array();
  }

  /** Labels i modulo 10. */
  static byte[] labels(int count) {
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i % 10);
    }
    return ByteBuffer.allocate(8 + count).putInt(0x801).putInt(count).put(labels).array();
  }

  public static byte[] gzip(byte[] content) {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static Path write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  /** A small data set in the four files of MNIST. */
  static void writeSet(Path folder, int train, int test) throws IOException {
    write(folder.resolve("train-images-idx3-ubyte"), images(train, 28, 28));
    write(folder.resolve("train-labels-idx1-ubyte.gz"), gzip(labels(train)));
    write(folder.resolve("t10k-images-idx3-ubyte.gz"), gzip(images(test, 28, 28)));
    write(folder.resolve("t10k-labels-idx1-ubyte"), labels(test));
  }
}
