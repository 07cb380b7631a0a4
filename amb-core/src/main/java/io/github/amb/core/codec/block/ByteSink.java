package io.github.amb.core.codec.block;

import io.github.amb.core.gradient.Finite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing little-endian byte buffer, reused from message to message. Messages travel as floats,
 * so the array's length is a multiple of 4.
 */
public final class ByteSink {
  public static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  public static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  public static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int INITIAL = 1024;
  private static final long MAX = Integer.MAX_VALUE - 11L;

  private byte[] bytes = new byte[INITIAL];
  private ByteBuffer view = wrap(bytes);
  private int length;

  /** Discards all bytes; the array is kept. */
  public void clear() {
    length = 0;
  }

  /** Discards the bytes from {@code length} on. */
  public void truncate(int length) {
    this.length = length;
  }

  /** Number of bytes written. */
  public int length() {
    return length;
  }

  /**
   * The buffer, of which the first {@link #length} bytes are written. Not a copy; growing replaces
   * it.
   */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Reserves {@code count} bytes with unspecified content.
   *
   * @return index of the first one
   */
  public int skip(int count) {
    int start = length;
    int end = Math.addExact(length, count);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX, 4L * (end / 2 + 1)));
      view = wrap(bytes);
    }
    length = end;
    return start;
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Appends the low eight bits. */
  public void putByte(int value) {
    int at = skip(1);
    bytes[at] = (byte) value;
  }

  /** Appends four bytes, the lowest first. */
  public void putInt(int value) {
    int at = skip(Integer.BYTES);
    INT.set(bytes, at, value);
  }

  /** Overwrites the four bytes from index {@code at} on, which have been written before. */
  public void setInt(int at, int value) {
    INT.set(bytes, at, value);
  }

  /** Appends eight bytes, the lowest first. */
  public void putLong(long value) {
    int at = skip(Long.BYTES);
    LONG.set(bytes, at, value);
  }

  /**
   * Appends the four bytes of a binary32, the lowest first.
   *
   * @throws NonFiniteEntryException if it is not finite, which no decoder accepts
   */
  public void putFloat(float value) {
    if (!Float.isFinite(value)) {
      throw new NonFiniteEntryException();
    }
    putInt(Float.floatToRawIntBits(value));
  }

  /** Appends a number, 0 or more, in seven bits per byte, the lowest first (LEB128). */
  public void putCount(long value) {
    long rest = value;
    while (rest >= 0x80) {
      putByte((int) rest | 0x80);
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  /**
   * Appends {@code count} floats, from index {@code from} on.
   *
   * @throws NonFiniteEntryException if one is not finite, which no decoder accepts
   */
  public void putFloats(float[] values, int from, int count) {
    if (Finite.firstBad(values, from, from + count) >= 0) {
      throw new NonFiniteEntryException();
    }
    int at = skip(Math.multiplyExact(count, Float.BYTES));
    view.position(at);
    view.asFloatBuffer().put(values, from, count);
  }

  /** Appends {@code count} bytes, from index {@code from} on. */
  public void putBytes(byte[] source, int from, int count) {
    int at = skip(count);
    System.arraycopy(source, from, bytes, at, count);
  }
}
