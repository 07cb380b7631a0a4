package io.github.amb.models.data.example;

import io.github.amb.core.file.SharedPlace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A file that holds a {@link DecodedSet}. Its name has the form of reading, the key and the
 * format's version.
 *
 * <p>The file has, with little-endian numbers: a header; all training labels; all test labels; all
 * training features; all test features; the note and the names of classes, each in UTF-8 after its
 * length; the CRC-32C of all of these. The header is the magic word, the key, and as integers:
 * channels, height, width, classes, then number and {@link StoredExamples.Type} of training and of
 * test examples.
 */
final class DecodedSetFile {
  private static final byte[] MAGIC = "AMB data".getBytes(StandardCharsets.US_ASCII);

  /** Must change if the format changes, or the result of decoding. */
  private static final String VERSION = ".v4";

  private static final int KEY_BYTES = 32;
  private static final int NUMBERS = 8;
  private static final int HEADER = MAGIC.length + KEY_BYTES + NUMBERS * Integer.BYTES;
  private static final int CHECKSUM = Integer.BYTES;
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final byte[] key;

  /**
   * @param form how the data set is read or generated
   * @param key SHA-256, hexadecimal
   */
  DecodedSetFile(Path folder, String form, String key) {
    this.file = folder.resolve(form + "-" + key + VERSION);
    this.key = HexFormat.of().parseHex(key);
  }

  /** Training or test examples. */
  private record Part(int count, StoredExamples.Type type) {
    static Part of(StoredExamples examples) {
      return new Part(examples.count(), examples.type());
    }

    static Part read(ByteBuffer header) throws IOException {
      int count = header.getInt();
      int type = header.getInt();
      StoredExamples.Type[] types = StoredExamples.Type.values();
      if (count <= 0 || type < 0 || type >= types.length) {
        throw new IOException("no examples");
      }
      return new Part(count, types[type]);
    }

    void write(ByteBuffer header) {
      header.putInt(count).putInt(type.ordinal());
    }

    int exampleBytes(ImageShape shape) {
      return Math.multiplyExact(shape.size(), type.bytes());
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

  /**
   * Writes the file, completely or not at all.
   *
   * @throws IOException if it cannot be written or mapped
   */
  void write(DecodedSet data) throws IOException {
    Part train = Part.of(data.train());
    Part test = Part.of(data.test());
    train.bytes(data.shape());
    test.bytes(data.shape());
    CacheDirectory.put(
        file,
        channel -> {
          Output out = new Output(channel, new CRC32C());
          out.write(header(data, train, test));
          out.write(ByteBuffer.wrap(labels(data.train())));
          out.write(ByteBuffer.wrap(labels(data.test())));
          writeFeatures(out, data.train(), train.exampleBytes(data.shape()));
          writeFeatures(out, data.test(), test.exampleBytes(data.shape()));
          out.write(texts(data));
          out.writeChecksum();
        });
  }

  private ByteBuffer header(DecodedSet data, Part train, Part test) {
    ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    ImageShape shape = data.shape();
    header.put(MAGIC).put(key);
    header.putInt(shape.channels()).putInt(shape.height()).putInt(shape.width());
    header.putInt(data.classes());
    train.write(header);
    test.write(header);
    return header.flip();
  }

  private static ByteBuffer texts(DecodedSet data) {
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    for (String text : Stream.concat(Stream.of(data.note()), data.classNames().stream()).toList()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      texts.writeBytes(length.putInt(bytes.length).array());
      texts.writeBytes(bytes);
    }
    return ByteBuffer.wrap(texts.toByteArray());
  }

  private static List<String> texts(ByteBuffer bytes) {
    List<String> texts = new ArrayList<>();
    while (bytes.hasRemaining()) {
      byte[] text = new byte[bytes.getInt()];
      bytes.get(text);
      texts.add(new String(text, StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static byte[] labels(Examples examples) {
    byte[] labels = new byte[examples.count()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) examples.label(i);
    }
    return labels;
  }

  private static void writeFeatures(Output out, StoredExamples examples, int exampleBytes)
      throws IOException {
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.max(BUFFER, exampleBytes)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < examples.count(); i++) {
      if (buffer.remaining() < exampleBytes) {
        out.write(buffer.flip());
        buffer.clear();
      }
      examples.store(i, buffer);
    }
    out.write(buffer.flip());
  }

  /** A channel, and the checksum of what went into it. */
  private record Output(FileChannel channel, CRC32C checksum) {
    void write(ByteBuffer bytes) throws IOException {
      checksum.update(bytes.duplicate());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    void writeChecksum() throws IOException {
      write(
          ByteBuffer.allocate(CHECKSUM)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt((int) checksum.getValue())
              .flip());
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
      expect(end >= HEADER, "cut");
      ByteBuffer header = read(channel, 0, HEADER);
      byte[] magic = new byte[MAGIC.length];
      byte[] found = new byte[KEY_BYTES];
      header.get(magic).get(found);
      expect(Arrays.equals(magic, MAGIC) && Arrays.equals(found, key), "of another key or format");
      CRC32C checksum = new CRC32C();
      FileChecksum.update(checksum, channel, end);
      int expected = read(channel, end, CHECKSUM).getInt();
      expect((int) checksum.getValue() == expected, "damaged");
      return map(name, channel, header);
    }
  }

  private void expect(boolean fine, String problem) throws IOException {
    if (!fine) {
      throw new IOException(file + ": " + problem);
    }
  }

  /** Maps a file whose checksum is correct. */
  private DataSet map(String name, FileChannel channel, ByteBuffer header) throws IOException {
    ImageShape shape = new ImageShape(header.getInt(), header.getInt(), header.getInt());
    int classes = header.getInt();
    Part train = Part.read(header);
    Part test = Part.read(header);
    long trainStart = (long) HEADER + train.count + test.count;
    long testStart = trainStart + train.bytes(shape);
    long textStart = testStart + test.bytes(shape);
    int textBytes = (int) (channel.size() - CHECKSUM - textStart);
    List<String> texts = texts(read(channel, textStart, textBytes));
    return new DataSet(
        name,
        shape,
        classes,
        examples(channel, shape, train, labels(channel, HEADER, train, classes), trainStart),
        examples(
            channel, shape, test, labels(channel, HEADER + train.count, test, classes), testStart),
        texts.subList(1, texts.size()),
        texts.get(0),
        null);
  }

  private static byte[] labels(FileChannel channel, long start, Part part, int classes)
      throws IOException {
    byte[] labels = read(channel, start, part.count).array();
    for (byte label : labels) {
      if ((label & 0xff) >= classes) {
        throw new IOException("a label of " + (label & 0xff) + " of " + classes + " classes");
      }
    }
    return labels;
  }

  private Examples examples(
      FileChannel channel, ImageShape shape, Part part, byte[] labels, long features)
      throws IOException {
    ByteBuffer map = MappedFiles.map(file, channel, features, part.bytes(shape));
    map.order(ByteOrder.LITTLE_ENDIAN);
    return part.type == StoredExamples.Type.FLOAT
        ? new FloatExamples(map.asFloatBuffer(), labels, null)
        : new ByteExamples(0, labels, map);
  }

  private static ByteBuffer read(FileChannel channel, long start, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, start + bytes.position()) < 0) {
        throw new IOException("the end of the file instead of " + bytes.remaining() + " bytes");
      }
    }
    return bytes.flip();
  }
}
