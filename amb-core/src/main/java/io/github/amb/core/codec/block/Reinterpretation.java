package io.github.amb.core.codec.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * Copies the bits of floats to integers and bytes and back, in bulk. A conversion inside a loop
 * would keep the JIT from vectorizing it. Bytes are little-endian.
 */
public final class Reinterpretation {
  /** Maximum number of entries of one copy. */
  public static final int MAX = 2048;

  private final byte[] bytes = new byte[MAX * Integer.BYTES];
  private final FloatBuffer floats = view().asFloatBuffer();
  private final IntBuffer ints = view().asIntBuffer();

  private ByteBuffer view() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Copies the bits of {@code count} floats, at most {@value #MAX}. */
  public void toInts(float[] source, int from, int count, int[] target, int to) {
    floats.put(0, source, from, count);
    ints.get(0, target, to, count);
  }

  /** Copies {@code count} integers, at most {@value #MAX}, to the floats with the same bits. */
  public void toFloats(int[] source, int from, int count, float[] target, int to) {
    ints.put(0, source, from, count);
    floats.get(0, target, to, count);
  }

  /** Copies {@code count} integers, at most {@value #MAX}, to four bytes each. */
  public void toBytes(int[] source, int from, int count, byte[] target, int to) {
    ints.put(0, source, from, count);
    System.arraycopy(bytes, 0, target, to, count * Integer.BYTES);
  }

  /** Copies {@code count} integers, at most {@value #MAX}, from four bytes each. */
  public void ofBytes(byte[] source, int from, int[] target, int to, int count) {
    System.arraycopy(source, from, bytes, 0, count * Integer.BYTES);
    ints.get(0, target, to, count);
  }
}
