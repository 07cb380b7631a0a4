package io.github.amb.plots.export;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads TFRecords of Event messages by their specifications, with a checksum of its own. */
final class EventReader {
  /** One number; the file's version is the first, as a tag. */
  record Scalar(String tag, long step, double wallTime, float value) {}

  private EventReader() {}

  static List<Scalar> read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Scalar> scalars = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int start = bytes.position();
      int length = Math.toIntExact(bytes.getLong());
      assertEquals(masked(bytes.array(), start, 8), bytes.getInt(), "checksum of the length");
      byte[] data = new byte[length];
      bytes.get(data);
      assertEquals(masked(data, 0, length), bytes.getInt(), "checksum of the data");
      scalars.add(event(ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN)));
    }
    return scalars;
  }

  /** Bit by bit: x^32 + … of Castagnoli, reflected. */
  private static int masked(byte[] bytes, int from, int length) {
    int crc = ~0;
    for (int i = from; i < from + length; i++) {
      crc ^= bytes[i] & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc >>> 1) ^ ((crc & 1) != 0 ? 0x82F63B78 : 0);
      }
    }
    int value = ~crc;
    return ((value >>> 15) | (value << 17)) + 0xa282ead8;
  }

  private static Scalar event(ByteBuffer in) {
    double wallTime = 0;
    long step = 0;
    String tag = "";
    float value = 0;
    while (in.hasRemaining()) {
      int key = (int) varint(in);
      switch (key) {
        case 9 -> wallTime = in.getDouble();
        case 16 -> step = varint(in);
        case 26 -> tag = text(in);
        case 42, 10 -> varint(in);
        case 21 -> value = in.getFloat();
        default -> throw new AssertionError("unexpected key " + key);
      }
      if (key == 42) {
        assertEquals(10, varint(in), "a summary's value");
        varint(in);
        assertEquals(10, varint(in), "a value's tag");
        tag = text(in);
      }
    }
    return new Scalar(tag, step, wallTime, value);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[(int) varint(in)];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
