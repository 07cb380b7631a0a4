package io.github.amb.core.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * The bits of floats as integers and back, copied in bulk: a conversion inside a loop would keep
 * the JIT from vectorizing it. Bytes are little-endian.
 */
final class Reinterpretation {
  /** The most entries of one copy. */
  static final int MOST = 2048;

  private final byte[] bytes = new byte[MOST * Integer.BYTES];
  private final FloatBuffer floats = view().asFloatBuffer();
  private final IntBuffer ints = view().asIntBuffer();

  private ByteBuffer view() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Copies the bits of {@code count} floats, at most {@value #MOST}. */
  void toInts(float[] source, int from, int count, int[] target, int to) {
    floats.put(0, source, from, count);
    ints.get(0, target, to, count);
  }

  /** Copies the floats that {@code count} integers, at most {@value #MOST}, are the bits of. */
  void toFloats(int[] source, int from, int count, float[] target, int to) {
    ints.put(0, source, from, count);
    floats.get(0, target, to, count);
  }

  /** Copies {@code count} integers, at most {@value #MOST}, as bytes. */
  void toBytes(int[] source, int from, int count, byte[] target, int to) {
    ints.put(0, source, from, count);
    System.arraycopy(bytes, 0, target, to, count * Integer.BYTES);
  }

  /** Copies {@code count} integers, at most {@value #MOST}, from their bytes. */
  void ofBytes(byte[] source, int from, int[] target, int to, int count) {
    System.arraycopy(source, from, bytes, 0, count * Integer.BYTES);
    ints.get(0, target, to, count);
  }
}
