package io.github.amb.core.codec.block;

import java.util.Arrays;

/** The wire format of some of a block's entries: their number, indices and values. */
public final class SparseEntries {
  private final int length;
  private int[] indices = {};
  private float[] values = {};
  private int count;

  /**
   * @param length number of entries of the block
   */
  public SparseEntries(int length) {
    this.length = length;
  }

  /**
   * Appends the entries {@code block[from + indices[i]]}.
   *
   * @param block not modified
   * @param indices the first {@code count} ascend; not modified
   * @throws NonFiniteEntryException if one is not finite
   */
  public void encode(float[] block, int from, int[] indices, int count, ByteSink out) {
    reserve(count);
    for (int i = 0; i < count; i++) {
      values[i] = block[from + indices[i]];
    }
    out.putCount(count);
    RiceIndices.encode(indices, count, length, out);
    out.putFloats(values, 0, count);
  }

  /**
   * Reads entries that {@link #encode} appended into {@code block}, from {@code from} on; all other
   * entries become zero.
   */
  public void decode(ByteSource in, float[] block, int from) {
    int coming = in.getCount(length);
    count = 0;
    reserve(coming);
    RiceIndices.decode(in, indices, coming, length);
    in.getFloats(values, 0, coming);
    Arrays.fill(block, from, from + length, 0);
    for (int i = 0; i < coming; i++) {
      block[from + indices[i]] = values[i];
    }
    count = coming;
  }

  private void reserve(int count) {
    if (indices.length < count) {
      indices = new int[count];
      values = new float[count];
    }
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
