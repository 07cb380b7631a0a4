package io.github.amb.core.codec.link;

import io.github.amb.core.engine.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * The bytes of encoded messages as the bits of floats, the engines' payload. Such floats are
 * copied, never computed with.
 */
public final class PackedBytes {
  private byte[] bytes = {};
  private byte[] received = {};
  private FloatBuffer floats = FloatBuffer.allocate(0);

  /** Number of floats that have this many bytes. */
  public static int floats(int bytes) {
    return (bytes + Float.BYTES - 1) / Float.BYTES;
  }

  /**
   * Copies bytes to a message, in memory that it was lent, or its own.
   *
   * @param encoded not modified
   * @param length number of bytes
   * @return {@code into}
   */
  public Message pack(byte[] encoded, int length, Message into) {
    int count = floats(length);
    if (into.loan() == null) {
      into.ensureCapacity(count);
    }
    into.payload().put(0, view(encoded), 0, count);
    return into;
  }

  private FloatBuffer view(byte[] encoded) {
    if (encoded != bytes) {
      bytes = encoded;
      floats = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }
    return floats;
  }

  /**
   * The bytes of a message's payload. Valid until the next call.
   *
   * @param message not modified
   */
  public byte[] unpack(Message message) {
    int length = Math.multiplyExact(message.length(), Float.BYTES);
    if (received.length < length) {
      received = new byte[length];
    }
    ByteBuffer.wrap(received)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(0, message.payload(), 0, message.length());
    return received;
  }
}
