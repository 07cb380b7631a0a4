package io.github.amb.core.codec.block;

/** The wire format of signs of some of a block's entries: their number, indices and signs. */
public final class SignedIndices {
  private final int length;
  private int[] indices = {};
  private int count;

  /**
   * @param length number of entries of the block
   */
  public SignedIndices(int length) {
    this.length = length;
  }

  /**
   * Appends the signs of {@code block[from + indices[i]]}.
   *
   * @param block not modified
   * @param indices the first {@code count} ascend; not modified
   */
  public void encode(float[] block, int from, int[] indices, int count, ByteSink out) {
    out.putCount(count);
    RiceIndices.encode(indices, count, length, out);
    BitSink signs = new BitSink(out);
    for (int i = 0; i < count; i++) {
      signs.put(Float.floatToRawIntBits(block[from + indices[i]]) >>> 31, 1);
    }
    signs.flush();
  }

  /**
   * Writes ±{@code magnitude} to the received entries of the block; other entries are not modified.
   */
  public void decode(ByteSource in, float[] block, int from, float magnitude) {
    int coming = in.getCount(length);
    count = 0;
    if (indices.length < coming) {
      indices = new int[coming];
    }
    RiceIndices.decode(in, indices, coming, length);
    BitSource signs = new BitSource(in, (coming + Byte.SIZE - 1) / Byte.SIZE);
    for (int i = 0; i < coming; i++) {
      block[from + indices[i]] = signs.get(1) == 0 ? magnitude : -magnitude;
    }
    count = coming;
  }

  /** Indices read last; the first {@link #count} are valid. Not a copy. */
  public int[] indices() {
    return indices;
  }

  /** Number of entries read last. */
  public int count() {
    return count;
  }
}
