package io.github.amb.core.codec.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads little-endian bytes; a read beyond the end is a {@link MalformedEncodingException}. */
public final class ByteSource {
  private byte[] bytes = {};
  private ByteBuffer view = ByteBuffer.wrap(bytes);
  private int position;
  private int end;

  /** Starts to read {@code bytes[from]} to {@code bytes[to − 1]}; the array is not copied. */
  public void wrap(byte[] bytes, int from, int to) {
    if (this.bytes != bytes) {
      this.bytes = bytes;
      view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    position = from;
    end = to;
  }

  /** Number of unread bytes. */
  public int remaining() {
    return end - position;
  }

  /**
   * Checks that all bytes have been read.
   *
   * @throws MalformedEncodingException if some are left
   */
  public void expectEnd() {
    if (remaining() > 0) {
      throw new MalformedEncodingException(
          "expected the end, found %d more bytes".formatted(remaining()));
    }
  }

  /** The array that is read. Not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Skips {@code count} bytes.
   *
   * @return index of the first one in {@link #bytes}
   * @throws MalformedEncodingException if fewer are left
   */
  public int skip(int count) {
    if (count < 0 || count > end - position) {
      throw new MalformedEncodingException(
          "expected %d more bytes, found %d".formatted(count, end - position));
    }
    int start = position;
    position += count;
    return start;
  }

  /** The next byte, 0 to 255. */
  public int getByte() {
    return bytes[skip(1)] & 0xFF;
  }

  /** The next four bytes, the lowest first. */
  public int getInt() {
    return (int) ByteSink.INT.get(bytes, skip(Integer.BYTES));
  }

  /**
   * Reads a float.
   *
   * @throws MalformedEncodingException if it is not finite
   */
  public float getFloat() {
    float value = Float.intBitsToFloat(getInt());
    if (!Float.isFinite(value)) {
      throw new MalformedEncodingException("expected a finite number, found " + value);
    }
    return value;
  }

  /**
   * Reads a float of 0 or more.
   *
   * @throws MalformedEncodingException if it is negative or not finite
   */
  public float getMagnitude() {
    float value = getFloat();
    if (value < 0) {
      throw new MalformedEncodingException("expected a number of 0 or more, found " + value);
    }
    return value;
  }

  /**
   * Reads a number that {@link ByteSink#putCount} wrote.
   *
   * @param max the largest valid value
   * @throws MalformedEncodingException if the number is larger
   */
  public int getCount(int max) {
    return (int) getSum(max);
  }

  /**
   * Reads a number of up to 63 bits that {@link ByteSink#putCount} wrote.
   *
   * @param max the largest valid value
   * @throws MalformedEncodingException if the number is larger
   */
  public long getSum(long max) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      int next = getByte();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (value > max) {
          throw new MalformedEncodingException(
              "expected a number up to %d, found %d".formatted(max, value));
        }
        return value;
      }
    }
    throw new MalformedEncodingException("expected a number of 9 bytes or less");
  }

  /**
   * Reads {@code count} floats into {@code values}, from index {@code from} on.
   *
   * @throws MalformedEncodingException if one is not finite
   */
  public void getFloats(float[] values, int from, int count) {
    view.position(skip(Math.multiplyExact(count, Float.BYTES)));
    view.asFloatBuffer().get(values, from, count);
    MalformedEncodingException.expectFinite(values, from, count);
  }
}
