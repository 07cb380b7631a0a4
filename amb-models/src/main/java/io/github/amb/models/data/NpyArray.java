package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One array in NumPy's NPY format, version 1 to 3: magic, version, length of the header, a Python
 * dictionary with type, order and shape, then the data.
 */
final class NpyArray {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final Pattern TYPE = Pattern.compile("'descr':\\s*'([<>|=][a-z]\\d+)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order':\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([\\d,\\s]*)\\)");

  private final String source;
  private final String type;
  private final int[] shape;
  private final ByteBuffer data;

  private NpyArray(String source, String type, int[] shape, ByteBuffer data) {
    this.source = source;
    this.type = type;
    this.shape = shape;
    this.data = data;
  }

  /**
   * Parses an array.
   *
   * @param source where it comes from, for errors
   * @throws UsageException if it is malformed
   */
  static NpyArray parse(String source, byte[] bytes) {
    if (bytes.length < 12 || !Arrays.equals(Arrays.copyOf(bytes, 6), MAGIC)) {
      throw new UsageException(source + ": expected an array in NumPy's NPY format");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    boolean old = bytes[6] == 1;
    long length = old ? buffer.getShort(8) & 0xffff : buffer.getInt(8) & 0xffffffffL;
    long start = (old ? 10 : 12) + length;
    if (start > bytes.length) {
      throw new UsageException(source + ": expected a header, found a truncated array");
    }
    int from = old ? 10 : 12;
    String header = new String(bytes, from, (int) length, StandardCharsets.ISO_8859_1);
    if (find(source, ORDER, header).equals("True")) {
      throw new UsageException(source + ": expected row-major order, found Fortran order");
    }
    String type = find(source, TYPE, header);
    int[] shape = shape(source, find(source, SHAPE, header));
    buffer.position((int) start);
    ByteBuffer data = buffer.slice();
    data.order(type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    var array = new NpyArray(source, type, shape, data);
    array.checkLength();
    return array;
  }

  private static String find(String source, Pattern pattern, String header) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw new UsageException(
          "%s: expected a header with %s, found %s"
              .formatted(source, pattern.pattern().split("'")[1], header.strip()));
    }
    return matcher.group(1);
  }

  private static int[] shape(String source, String text) {
    try {
      return Arrays.stream(text.split(","))
          .map(String::strip)
          .filter(size -> !size.isEmpty())
          .mapToInt(Integer::parseInt)
          .toArray();
    } catch (NumberFormatException e) {
      throw new UsageException("%s: expected a shape, found (%s)".formatted(source, text));
    }
  }

  private void checkLength() {
    double expected = width();
    for (int size : shape) {
      expected *= size;
    }
    if (expected != data.remaining()) {
      throw new UsageException(
          "%s: expected %.0f bytes for shape %s of type %s, found %d"
              .formatted(source, expected, Arrays.toString(shape), type, data.remaining()));
    }
  }

  private int width() {
    return switch (type.substring(1)) {
      case "u1", "i1" -> 1;
      case "u2", "i2" -> 2;
      case "i4", "f4" -> 4;
      case "i8", "f8" -> 8;
      default ->
          throw new UsageException(
              "%s: expected type u1, i1, u2, i2, i4, i8, f4 or f8, found %s"
                  .formatted(source, type));
    };
  }

  int[] shape() {
    return shape.clone();
  }

  /** Number of entries. */
  int length() {
    return data.remaining() / width();
  }

  /** One entry, counted in row-major order. */
  double get(int index) {
    return switch (type.substring(1)) {
      case "u1" -> data.get(index) & 0xff;
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
