package io.github.amb.models.data.example;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.SharedPlace;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * A file that holds a {@link DecodedSet}. Its name has the form of reading, the key and the
 * format's version.
 *
 * <p>The file has, little-endian: the length of the head, 4 bytes; the head, in JSON; all training
 * labels and numbers to predict, 4 bytes each; those for testing; all training features; all test
 * features; the CRC-32C of all of these.
 */
final class DecodedSetFile {
  /** Must change if the format changes, or the result of decoding. */
  private static final String VERSION = ".v6";

  private static final int CHECKSUM = Integer.BYTES;
  private static final int BUFFER = 1 << 18;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final String key;

  /**
   * @param form how the data set is read or generated
   * @param key SHA-256, hexadecimal
   */
  DecodedSetFile(Path folder, String form, String key) {
    this.file = folder.resolve(form + "-" + key + VERSION);
    this.key = key;
  }

  /** Training or test examples. */
  private record Part(int count, StoredExamples.Type type, Targets targets, int numbers) {
    static Part of(StoredExamples examples, int classes) {
      int numbers = examples.targets() == Targets.CLASS ? 0 : classes;
      return new Part(examples.count(), examples.type(), examples.targets(), numbers);
    }

    /** Number of bytes of all labels and numbers. */
    int labelBytes() {
      return Math.toIntExact((1L + numbers) * count * Integer.BYTES);
    }

    /**
     * Number of bytes of all features.
     *
     * @throws IOException if there are too many to be mapped
     */
    int bytes(ImageShape shape) throws IOException {
      long bytes = (long) count * shape.size() * type.bytes();
      if (bytes > Integer.MAX_VALUE) {
        throw new IOException(bytes + " bytes cannot be mapped");
      }
      return (int) bytes;
    }
  }

  /** All but labels and features. */
  private record Head(
      String key,
      int[] shape,
      int classes,
      Part train,
      Part test,
      List<String> classNames,
      String note) {
    ImageShape image() {
      return new ImageShape(shape[0], shape[1], shape[2]);
    }
  }

  /**
   * Writes the file, completely or not at all.
   *
   * @throws IOException if it cannot be written or mapped
   */
  void write(DecodedSet data) throws IOException {
    ImageShape shape = data.shape();
    int[] sizes = {shape.channels(), shape.height(), shape.width()};
    Part train = Part.of(data.train(), data.classes());
    Part test = Part.of(data.test(), data.classes());
    train.bytes(shape);
    test.bytes(shape);
    byte[] head =
        JSON.writeValueAsBytes(
            new Head(key, sizes, data.classes(), train, test, data.classNames(), data.note()));
    CacheDirectory.put(
        file,
        part -> {
          try (CheckedOutputStream out =
              new CheckedOutputStream(
                  new BufferedOutputStream(
                      Files.newOutputStream(part, StandardOpenOption.CREATE_NEW)),
                  new CRC32C())) {
            out.write(number(head.length));
            out.write(head);
            out.write(labels(data.train(), train));
            out.write(labels(data.test(), test));
            writeFeatures(out, data.train(), train.bytes(shape) / train.count);
            writeFeatures(out, data.test(), test.bytes(shape) / test.count);
            out.write(number((int) out.getChecksum().getValue()));
          }
        });
  }

  private static byte[] number(int number) {
    return allocate(Integer.BYTES).putInt(number).array();
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] labels(Examples examples, Part part) {
    ByteBuffer labels = allocate(part.labelBytes());
    for (int i = 0; i < part.count; i++) {
      labels.putInt(examples.label(i));
    }
    for (int i = 0; i < part.count * part.numbers; i++) {
      labels.putFloat(examples.target(i / part.numbers, i % part.numbers));
    }
    return labels.array();
  }

  private static void writeFeatures(OutputStream out, StoredExamples examples, int exampleBytes)
      throws IOException {
    ByteBuffer buffer = allocate(exampleBytes);
    for (int i = 0; i < examples.count(); i++) {
      examples.store(i, buffer.clear());
      out.write(buffer.array());
    }
  }

  /**
   * Maps the examples.
   *
   * @param name what the user calls the data set
   * @throws IOException if the file does not exist, is damaged, or has another key or format
   */
  DataSet map(String name) throws IOException {
    expect(SharedPlace.isTrusted(file), "missing or another user's");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long end = channel.size() - CHECKSUM;
      CRC32C checksum = new CRC32C();
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
      for (long start = 0; start < end; start += buffer.limit()) {
        buffer.clear().limit((int) Math.min(BUFFER, end - start));
        expect(channel.read(buffer, start) > 0, "cut");
        checksum.update(buffer.flip());
      }
      expect(
          end > CHECKSUM && (int) checksum.getValue() == read(channel, end, CHECKSUM).getInt(),
          "damaged");
      // As it was written, since the checksum is right.
      int length = read(channel, 0, Integer.BYTES).getInt();
      Head head = JSON.readValue(read(channel, Integer.BYTES, length).array(), Head.class);
      expect(head.key.equals(key), "of another key");
      return map(name, channel, head, Integer.BYTES + (long) length);
    }
  }

  private void expect(boolean fine, String problem) throws IOException {
    if (!fine) {
      throw new IOException(file + ": " + problem);
    }
  }

  private DataSet map(String name, FileChannel channel, Head head, long labels) throws IOException {
    ImageShape shape = head.image();
    long testLabels = labels + head.train.labelBytes();
    long features = testLabels + head.test.labelBytes();
    return new DataSet(
        name,
        shape,
        head.classes,
        examples(channel, shape, head.train, labels, features),
        examples(channel, shape, head.test, testLabels, features + head.train.bytes(shape)),
        head.classNames,
        head.note,
        null);
  }

  private Examples examples(
      FileChannel channel, ImageShape shape, Part part, long labels, long features)
      throws IOException {
    ByteBuffer map = MappedFiles.map(file, channel, features, part.bytes(shape));
    ByteBuffer stored = read(channel, labels, part.labelBytes());
    int[] classes = new int[part.count];
    stored.asIntBuffer().get(classes);
    float[] numbers = new float[part.count * part.numbers];
    stored.asFloatBuffer().get(part.count, numbers);
    Labels known = new Labels(part.targets, classes, numbers);
    return part.type == StoredExamples.Type.FLOAT
        ? new FloatExamples(map.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer(), known)
        : new ByteExamples(0, known, map);
  }

  private static ByteBuffer read(FileChannel channel, long start, int length) throws IOException {
    ByteBuffer bytes = allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, start + bytes.position()) < 0) {
        throw new IOException("the end of the file instead of " + bytes.remaining() + " bytes");
      }
    }
    return bytes.flip();
  }
}
