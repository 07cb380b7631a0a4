package io.github.amb.runtime.checkpoint;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.option.UsageException;
import java.io.DataInputStream;
import java.io.EOFException;
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
 * NumPy's file format 1.0: arrays of little-endian float32, float64 or int64, in C order, as {@code
 * numpy.load} reads them.
 */
public final class NpyFormat {
  private static final byte[] MAGIC = "\u0093NUMPY\u0001\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int ALIGNMENT = 64;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final Pattern HEADER =
      Pattern.compile(
          "\\{'descr': '<(f4|f8|i8)', 'fortran_order': False, 'shape': \\(([\\d, ]*)\\), \\} *\n");

  private NpyFormat() {}

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
    int count = Arrays.stream(shape).reduce(1, Math::multiplyExact);
    out.write(header(descriptor(array), shape));
    writeValues(out, array, offset, count);
  }

  /** Writes values without a header, little-endian. */
  public static void writeValues(OutputStream out, Object array, int offset, int count)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int width = width(array);
    int each = BUFFER_BYTES / width;
    for (int from = 0; from < count; from += each) {
      int length = Math.min(count - from, each);
      put(buffer, array, offset + from, length);
      out.write(buffer.array(), 0, length * width);
    }
  }

  private static void put(ByteBuffer buffer, Object array, int from, int length) {
    if (array instanceof float[] floats) {
      buffer.asFloatBuffer().put(floats, from, length);
    } else if (array instanceof double[] doubles) {
      buffer.asDoubleBuffer().put(doubles, from, length);
    } else {
      buffer.asLongBuffer().put((long[]) array, from, length);
    }
  }

  private static String descriptor(Object array) {
    return array instanceof float[] ? "f4" : array instanceof double[] ? "f8" : "i8";
  }

  private static int width(Object array) {
    return array instanceof float[] ? Float.BYTES : Long.BYTES;
  }

  /** Magic string, version, length of the rest, and the description padded with spaces. */
  private static byte[] header(String descriptor, int... shape) {
    String axes = Arrays.stream(shape).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    String text =
        "{'descr': '<%s', 'fortran_order': False, 'shape': (%s%s), }"
            .formatted(descriptor, axes, shape.length == 1 ? "," : "");
    int start = MAGIC.length + Short.BYTES;
    int end = (start + text.length() + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    String padded = text + " ".repeat(end - start - text.length() - 1) + "\n";
    return ByteBuffer.allocate(end)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .putShort((short) (end - start))
        .put(padded.getBytes(StandardCharsets.ISO_8859_1))
        .array();
  }

  /**
   * Reads an array that {@link #write} wrote, with one axis.
   *
   * @param in not closed
   * @param file where the array is, for messages
   * @param bytes length of the whole file, which limits the memory that is allocated
   * @return a {@code float[]}, {@code double[]} or {@code long[]}
   * @throws DamagedException if it has another format or length
   * @throws UsageException if Java has not enough memory for it
   * @throws IOException if it cannot be read
   */
  public static Object read(InputStream in, Object file, long bytes) throws IOException {
    try {
      return readChecked(in, file, bytes);
    } catch (DamagedException e) {
      throw new DamagedException(file + ": " + e.getMessage(), e);
    }
  }

  private static Object readChecked(InputStream in, Object file, long bytes) throws IOException {
    DataInputStream data = new DataInputStream(in);
    try {
      if (!Arrays.equals(data.readNBytes(MAGIC.length), MAGIC)) {
        throw new DamagedException("expected NumPy's format 1.0, found other bytes");
      }
      int length = Short.toUnsignedInt(Short.reverseBytes(data.readShort()));
      String header = new String(data.readNBytes(length), StandardCharsets.ISO_8859_1);
      Matcher matcher = HEADER.matcher(header);
      if (!matcher.matches()) {
        throw new DamagedException("expected an array of <f4, <f8 or <i8, found " + header.strip());
      }
      BoundedFile.requireMemory(String.valueOf(file), bytes);
      long rest = bytes - MAGIC.length - Short.BYTES - length;
      Object array = allocate(matcher.group(1), count(matcher.group(2)), rest);
      readValues(data, array);
      return array;
    } catch (EOFException e) {
      throw new DamagedException("expected a whole array, found its end too early", e);
    }
  }

  private static long count(String shape) throws IOException {
    long count = 1;
    try {
      for (String axis : shape.split(",")) {
        if (!axis.isBlank()) {
          count = Math.multiplyExact(count, Long.parseLong(axis.strip()));
        }
      }
      return count;
    } catch (ArithmeticException | NumberFormatException e) {
      throw new DamagedException("expected the shape of an array, found (" + shape + ")", e);
    }
  }

  private static Object allocate(String descriptor, long count, long bytes) throws IOException {
    int width = descriptor.equals("f4") ? Float.BYTES : Long.BYTES;
    if (count != bytes / width || bytes % width != 0 || count > Integer.MAX_VALUE - 8) {
      throw new DamagedException(
          "expected %d values of %d bytes, found %d bytes".formatted(count, width, bytes));
    }
    return switch (descriptor) {
      case "f4" -> new float[(int) count];
      case "f8" -> new double[(int) count];
      default -> new long[(int) count];
    };
  }

  private static void readValues(DataInputStream in, Object array) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int width = width(array);
    int each = BUFFER_BYTES / width;
    int count = Array.getLength(array);
    for (int from = 0; from < count; from += each) {
      int length = Math.min(count - from, each);
      in.readFully(buffer.array(), 0, length * width);
      get(buffer, array, from, length);
    }
  }

  private static void get(ByteBuffer buffer, Object array, int from, int length) {
    if (array instanceof float[] floats) {
      buffer.asFloatBuffer().get(floats, from, length);
    } else if (array instanceof double[] doubles) {
      buffer.asDoubleBuffer().get(doubles, from, length);
    } else {
      buffer.asLongBuffer().get((long[]) array, from, length);
    }
  }
}
