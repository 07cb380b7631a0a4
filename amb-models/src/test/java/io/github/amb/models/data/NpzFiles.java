package io.github.amb.models.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** NumPy's files for tests. */
final class NpzFiles {
  private NpzFiles() {}

  static byte[] npy(String type, String shape, byte... data) {
    String header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }";
    byte[] text = header.formatted(type, shape).getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer buffer =
        ByteBuffer.allocate(10 + text.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    return buffer.putShort((short) text.length).put(text).put(data).array();
  }

  static byte[] longs(long... values) {
    ByteBuffer buffer = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(values).forEach(buffer::putLong);
    return buffer.array();
  }

  static byte[] floats(float... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      buffer.putFloat(value);
    }
    return buffer.array();
  }

  /** An archive of arrays by name. */
  static byte[] npz(Map<String, byte[]> arrays) {
    var bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> array : arrays.entrySet()) {
        zip.putNextEntry(new ZipEntry(array.getKey() + ".npy"));
        zip.write(array.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
