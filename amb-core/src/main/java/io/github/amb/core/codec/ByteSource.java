package io.github.amb.core.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes being read, little-endian; every read is checked against the end. */
public final class ByteSource {
  private byte[] bytes = {};
  private ByteBuffer view = ByteBuffer.wrap(bytes);
  private int position;
  private int end;

  /** Reads {@code bytes[from]} to {@code bytes[to − 1]} from now on. */
  void wrap(byte[] bytes, int from, int to) {
    if (this.bytes != bytes) {
      this.bytes = bytes;
      view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    position = from;
    end = to;
  }

  /** Bytes left. */
  int remaining() {
    return end - position;
  }

  /**
   * Checks that all bytes have been read.
   *
   * @throws MalformedMessageException if some are left
   */
  void expectEnd() {
    if (remaining() > 0) {
      throw new MalformedMessageException(
          "expected the end, found %d more bytes".formatted(remaining()));
    }
  }

  /** The array read from. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Passes over bytes.
   *
   * @return where they start
   * @throws MalformedMessageException if there are not as many
   */
  int skip(int count) {
    if (count < 0 || count > end - position) {
      throw new MalformedMessageException(
          "expected %d more bytes, found %d".formatted(count, end - position));
    }
    int start = position;
    position += count;
    return start;
  }

  int getByte() {
    return bytes[skip(1)] & 0xFF;
  }

  int getInt() {
    return (int) ByteSink.INT.get(bytes, skip(Integer.BYTES));
  }

  long getLong() {
    return (long) ByteSink.LONG.get(bytes, skip(Long.BYTES));
  }

  /** A finite float. */
  float getFloat() {
    float value = Float.intBitsToFloat(getInt());
    if (!Float.isFinite(value)) {
      throw new MalformedMessageException("expected a finite number, found " + value);
    }
    return value;
  }

  /** A finite float that is not negative. */
  float getMagnitude() {
    float value = getFloat();
    if (value < 0) {
      throw new MalformedMessageException("expected a number of 0 or more, found " + value);
    }
    return value;
  }

  /**
   * A number as {@link ByteSink#putCount} writes it.
   *
   * @param most the largest that makes sense
   */
  int getCount(int most) {
    return (int) getSum(most);
  }

  /** As {@link #getCount}, for large numbers. */
  long getSum(long most) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      int next = getByte();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (value > most) {
          throw new MalformedMessageException(
              "expected a number up to %d, found %d".formatted(most, value));
        }
        return value;
      }
    }
    throw new MalformedMessageException("expected a number of 9 bytes or less");
  }

  /** Finite floats. */
  void getFloats(float[] values, int from, int count) {
    view.position(skip(Math.multiplyExact(count, Float.BYTES)));
    view.asFloatBuffer().get(values, from, count);
    MalformedMessageException.expectFinite(values, from, count);
  }
}
