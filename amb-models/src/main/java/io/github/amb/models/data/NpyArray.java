package io.github.amb.models.data;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** One array in NumPy's NPY format: a {@link NpyHeader}, then the data. */
record NpyArray(NpyHeader header, ByteBuffer data) {
  /**
   * Reads an array, and no byte beyond the length in its header.
   *
   * @param source the file, for messages
   * @throws UsageException if it is malformed
   * @throws IOException if the stream cannot be read
   */
  static NpyArray read(String source, InputStream in) throws IOException {
    NpyHeader header = NpyHeader.read(source, in);
    byte[] bytes = in.readNBytes(header.bytes());
    boolean more = in.read() >= 0;
    if (bytes.length < header.bytes() || more) {
      throw new UsageException(
          "%s: expected %d bytes for shape %s of type %s, found %s",
          source,
          header.bytes(),
          Arrays.toString(header.shape()),
          header.type(),
          more ? "more" : Integer.toString(bytes.length));
    }
    ByteBuffer data = ByteBuffer.wrap(bytes);
    data.order(header.type().charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    return new NpyArray(header, data);
  }

  /** The file that it was read from, for messages. */
  String source() {
    return header.source();
  }

  int[] shape() {
    return header.shape().clone();
  }

  /** Number of entries. */
  int length() {
    return header.length();
  }

  /** Entry {@code index} in row-major order. */
  double get(int index) {
    return switch (header.kind()) {
      case "u1", "b1" -> data.get(index) & 0xff;
      case "i1" -> data.get(index);
      case "u2" -> data.getShort(2 * index) & 0xffff;
      case "i2" -> data.getShort(2 * index);
      case "i4" -> data.getInt(4 * index);
      case "i8" -> data.getLong(8 * index);
      case "f4" -> data.getFloat(4 * index);
      default -> data.getDouble(8 * index);
    };
  }
}
