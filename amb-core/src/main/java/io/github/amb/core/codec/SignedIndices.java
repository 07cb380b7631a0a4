package io.github.amb.core.codec;

/** Some of a block's entries on the wire: how many, their indices and their signs. */
final class SignedIndices {
  private final int length;
  private int[] indices = {};
  private int count;

  /**
   * @param length entries of the block
   */
  SignedIndices(int length) {
    this.length = length;
  }

  /**
   * Writes the signs of {@code block[from + indices[i]]}.
   *
   * @param indices the first {@code count} ascend
   */
  void encode(float[] block, int from, int[] indices, int count, ByteSink out) {
    out.putCount(count);
    RiceIndices.encode(indices, count, length, out);
    BitSink signs = new BitSink(out);
    for (int i = 0; i < count; i++) {
      signs.put(Float.floatToRawIntBits(block[from + indices[i]]) >>> 31, 1);
    }
    signs.flush();
  }

  /** Writes plus or minus {@code magnitude} to the entries that have come, nothing to others. */
  void decode(ByteSource in, float[] block, int from, float magnitude) {
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

  /** Indices read last. */
  int[] indices() {
    return indices;
  }

  /** Entries read last. */
  int count() {
    return count;
  }
}
