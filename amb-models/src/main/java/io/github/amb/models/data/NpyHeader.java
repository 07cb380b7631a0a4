package io.github.amb.models.data;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of an array in NumPy's NPY format, version 1 to 3: magic, version, length of the
 * header, and a Python dictionary with type, order and shape.
 *
 * @param source the file, for messages
 * @param type NumPy's type, such as {@code <f4}
 * @param shape its dimensions
 */
record NpyHeader(String source, String type, int[] shape) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int PREAMBLE = 8;
  private static final Pattern TYPE = Pattern.compile("'descr':\\s*'([<>|=][a-zA-Z]\\d*)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order':\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([\\d,\\s]*)\\)");

  /**
   * Reads a header; the stream is then at the data.
   *
   * @param source the file, for messages
   * @throws UsageException if the header is malformed or the type is not supported
   * @throws IOException if the stream cannot be read
   */
  static NpyHeader read(String source, InputStream in) throws IOException {
    byte[] preamble = in.readNBytes(PREAMBLE);
    if (preamble.length < PREAMBLE
        || !Arrays.equals(Arrays.copyOf(preamble, MAGIC.length), MAGIC)) {
      throw new UsageException(source + ": expected an array in NumPy's NPY format");
    }
    String header = dictionary(source, in, preamble[MAGIC.length] == 1);
    if (find(source, ORDER, header).equals("True")) {
      throw new UsageException(source + ": expected row-major order, found Fortran order");
    }
    var found =
        new NpyHeader(
            source, find(source, TYPE, header), shape(source, find(source, SHAPE, header)));
    found.width();
    found.expectMappable();
    return found;
  }

  private static String dictionary(String source, InputStream in, boolean old) throws IOException {
    byte[] field = in.readNBytes(old ? Short.BYTES : Integer.BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long length = bytes.put(field).getInt(0) & 0xffffffffL;
    if (length > DataLimits.NPY_HEADER_BYTES) {
      throw new UsageException(
          "%s: expected a header of at most %d bytes, found %d",
          source, DataLimits.NPY_HEADER_BYTES, length);
    }
    byte[] text = in.readNBytes((int) length);
    if (text.length < length) {
      throw new UsageException(source + ": expected a header, found a truncated array");
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static String find(String source, Pattern pattern, String header) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw new UsageException(
          "%s: expected a header with %s, found %s",
          source, pattern.pattern().split("'")[1], Printable.shown(header.strip()));
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
      throw new UsageException("%s: expected a shape, found (%s)", source, Printable.shown(text));
    }
  }

  private void expectMappable() {
    double bytes = width();
    for (int size : shape) {
      bytes *= size;
    }
    if (bytes > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected an array of at most %d bytes, found shape %s of type %s",
          source, DataLimits.EXAMPLE_BYTES, Arrays.toString(shape), type);
    }
  }

  /** Number of bytes of an entry. */
  int width() {
    return switch (kind()) {
      case "u1", "i1", "b1" -> 1;
      case "u2", "i2" -> 2;
      case "i4", "f4" -> 4;
      case "i8", "f8" -> 8;
      default ->
          throw new UsageException(
              "%s: expected type u1, i1, u2, i2, i4, i8, f4, f8 or b1, found %s", source, type);
    };
  }

  /** The type without its byte order. */
  String kind() {
    return type.substring(1);
  }

  /** Whether entries are unsigned bytes. */
  boolean isBytes() {
    return kind().equals("u1");
  }

  /** Number of entries. */
  int length() {
    return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
  }

  /** Number of bytes of the data. */
  int bytes() {
    return length() * width();
  }
}
