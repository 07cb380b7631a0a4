package io.github.amb.core.file;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An array in NumPy's NPY format: magic, version, length of the header, a Python dictionary with
 * type, order and shape, and the data in row-major order. Versions 1 to 3 are read, version 1 is
 * written, little-endian.
 *
 * @param source the file, for messages
 * @param type NumPy's type, such as {@code <f4}
 * @param shape its dimensions; not copied
 * @param data the entries; null if only the header was read
 */
public record NpyArray(String source, String type, int[] shape, ByteBuffer data) {
  private static final byte[] MAGIC = "\u0093NUMPY\u0001\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int VERSION = 6;
  private static final int ALIGNMENT = 64;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final Pattern TYPE = Pattern.compile("'descr':\\s*'([<>|=][a-zA-Z]\\d*)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order':\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([\\d,\\s]*)\\)");

  /**
   * Reads a header; the stream is then at the data.
   *
   * @param source the file, for messages
   * @throws UsageException if the header is malformed, the type is not supported, or the data are
   *     too long to be mapped
   * @throws IOException if the stream cannot be read
   */
  public static NpyArray header(String source, InputStream in) throws IOException {
    NpyArray header = parse(source, in);
    if (header.entries() * header.width() > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: expected an array of at most %d bytes, found shape %s of type %s",
          source, DataLimits.EXAMPLE_BYTES, Arrays.toString(header.shape), header.type);
    }
    return header;
  }

  /**
   * Reads an array, and no byte beyond the length in its header.
   *
   * @param source the file, for messages
   * @throws UsageException as {@link #header}, or if there are more or fewer data
   * @throws IOException if the stream cannot be read
   */
  public static NpyArray read(String source, InputStream in) throws IOException {
    NpyArray header = header(source, in);
    byte[] bytes = in.readNBytes(header.bytes());
    header.expectEnd(bytes.length, in);
    ByteOrder order = header.type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return new NpyArray(source, header.type, header.shape, ByteBuffer.wrap(bytes).order(order));
  }

  /**
   * Reads an array that {@link #write} wrote, whatever its shape.
   *
   * @param source the file, for messages
   * @param bytes length of the file, which limits the memory that is allocated
   * @return a {@code float[]}, {@code double[]} or {@code long[]}
   * @throws UsageException if it has another format or length
   * @throws IOException if the stream cannot be read
   */
  public static Object readValues(String source, InputStream in, long bytes) throws IOException {
    NpyArray header = parse(source, in);
    if (header.entries() * header.width() > bytes || header.entries() > Integer.MAX_VALUE - 8) {
      throw header.wrong(Long.toString(bytes));
    }
    Object array =
        switch (header.type) {
          case "<f4" -> new float[header.length()];
          case "<f8" -> new double[header.length()];
          case "<i8" -> new long[header.length()];
          default ->
              throw new UsageException(
                  "%s: expected an array of <f4, <f8 or <i8, found %s", source, header.type);
        };
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long read = 0;
    for (int from = 0; from < header.length(); from += BUFFER_BYTES / header.width()) {
      int count = Math.min(header.length() - from, BUFFER_BYTES / header.width());
      int found = in.readNBytes(buffer.array(), 0, count * header.width());
      read += found;
      if (found < count * header.width()) {
        throw header.wrong(Long.toString(read));
      }
      if (array instanceof float[] floats) {
        buffer.asFloatBuffer().get(floats, from, count);
      } else if (array instanceof double[] doubles) {
        buffer.asDoubleBuffer().get(doubles, from, count);
      } else {
        buffer.asLongBuffer().get((long[]) array, from, count);
      }
    }
    header.expectEnd(read, in);
    return array;
  }

  private static NpyArray parse(String source, InputStream in) throws IOException {
    byte[] preamble = in.readNBytes(MAGIC.length);
    if (preamble.length < MAGIC.length || !Arrays.equals(preamble, 0, VERSION, MAGIC, 0, VERSION)) {
      throw new UsageException(
          source + ": expected an array in NumPy's NPY format, found other bytes");
    }
    byte[] field = in.readNBytes(preamble[VERSION] == 1 ? Short.BYTES : Integer.BYTES);
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
    String header = new String(text, StandardCharsets.ISO_8859_1);
    if (find(source, ORDER, header).equals("True")) {
      throw new UsageException(source + ": expected row-major order, found Fortran order");
    }
    String type = find(source, TYPE, header);
    NpyArray found = new NpyArray(source, type, shape(source, find(source, SHAPE, header)), null);
    found.width();
    return found;
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

  /** Checks that the data have their length, and that nothing follows. */
  private void expectEnd(long read, InputStream in) throws IOException {
    boolean more = in.read() >= 0;
    if (more || read < entries() * width()) {
      throw wrong(more ? "more" : Long.toString(read));
    }
  }

  private UsageException wrong(String found) {
    return new UsageException(
        "%s: expected %.0f bytes for shape %s of type %s, found %s",
        source, entries() * width(), Arrays.toString(shape), type, found);
  }

  /** Number of bytes of an entry. */
  public int width() {
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
  public String kind() {
    return type.substring(1);
  }

  /** Number of entries, which may be more than an array has. */
  private double entries() {
    return Arrays.stream(shape).asDoubleStream().reduce(1, (a, b) -> a * b);
  }

  /** Number of entries. */
  public int length() {
    return (int) entries();
  }

  /** Number of bytes of the data. */
  public int bytes() {
    return length() * width();
  }

  /** Entry {@code index} in row-major order. */
  public double get(int index) {
    return switch (kind()) {
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

  /** Writes a whole array with one axis. */
  public static void write(OutputStream out, Object array) throws IOException {
    write(out, array, 0, Array.getLength(array));
  }

  /**
   * Writes part of an array.
   *
   * @param out not closed
   * @param array of floats, doubles or longs; not modified
   * @param offset index of the first entry
   * @param shape its product is the number of entries
   * @throws IOException if {@code out} fails
   */
  public static void write(OutputStream out, Object array, int offset, int... shape)
      throws IOException {
    String type = array instanceof float[] ? "f4" : array instanceof double[] ? "f8" : "i8";
    String axes = Arrays.stream(shape).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    String text =
        "{'descr': '<%s', 'fortran_order': False, 'shape': (%s%s), }"
            .formatted(type, axes, shape.length == 1 ? "," : "");
    int start = MAGIC.length + Short.BYTES;
    int end = (start + text.length() + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    ByteBuffer header = ByteBuffer.allocate(end).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.fill(header.array(), (byte) ' ');
    header.put(MAGIC).putShort((short) (end - start)).put(text.getBytes(StandardCharsets.US_ASCII));
    out.write(header.put(end - 1, (byte) '\n').array());
    writeValues(out, array, offset, Arrays.stream(shape).reduce(1, Math::multiplyExact));
  }

  /** Writes values without a header, little-endian. */
  public static void writeValues(OutputStream out, Object array, int offset, int count)
      throws IOException {
    int width = array instanceof float[] ? Float.BYTES : Long.BYTES;
    int bytes = (int) Math.min(BUFFER_BYTES, (long) count * width); // Most arrays are short.
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from < count; from += BUFFER_BYTES / width) {
      int length = Math.min(count - from, BUFFER_BYTES / width);
      if (array instanceof float[] floats) {
        buffer.asFloatBuffer().put(floats, offset + from, length);
      } else if (array instanceof double[] doubles) {
        buffer.asDoubleBuffer().put(doubles, offset + from, length);
      } else {
        buffer.asLongBuffer().put((long[]) array, offset + from, length);
      }
      out.write(buffer.array(), 0, length * width);
    }
  }
}
