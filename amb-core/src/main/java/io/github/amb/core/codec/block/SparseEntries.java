package io.github.amb.core.codec.block;

import java.util.Arrays;

/**
 * The wire format of some of a block's entries: their number, indices and values. A value has 32
 * bits, or a sign and one of 2^(bits − 1) magnitudes. These are the mean magnitudes of the values
 * in equal parts of the range from the smallest to the largest.
 */
public final class SparseEntries {
  private final int length;
  private final PackedLevels levels; // null for values of 32 bits
  private final float[] magnitudes;
  private int[] indices = {};
  private float[] values = {};
  private int count;

  /**
   * @param length number of entries of the block
   */
  public SparseEntries(int length) {
    this(length, 0);
  }

  /**
   * @param length number of entries of the block
   * @param bits per value, 2 or more; 0 for floats
   */
  public SparseEntries(int length, int bits) {
    this.length = length;
    levels = bits == 0 ? null : new PackedLevels(bits);
    magnitudes = new float[bits == 0 ? 0 : 1 << bits - 1];
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
    if (levels == null) {
      out.putFloats(values, 0, count);
    } else {
      putLevels(count, out);
    }
  }

  private void putLevels(int count, ByteSink out) {
    float least = Float.POSITIVE_INFINITY;
    float most = 0;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, Math.abs(values[i]));
      most = Math.max(most, Math.abs(values[i]));
    }
    int parts = magnitudes.length;
    int[] codes = new int[count];
    int[] members = new int[parts];
    double[] sums = new double[parts];
    for (int i = 0; i < count; i++) {
      float magnitude = Math.abs(values[i]);
      double place = ((double) magnitude - least) / ((double) most - least); // 0/0 if all are alike
      int part = Math.min(parts - 1, (int) (place * parts));
      sums[part] += magnitude;
      members[part]++;
      codes[i] = part << 1 | (values[i] < 0 ? 1 : 0);
    }
    for (int part = 0; part < parts; part++) {
      magnitudes[part] = (float) (sums[part] / Math.max(1, members[part]));
    }
    out.putFloats(magnitudes, 0, parts);
    levels.encode(codes, count, out);
  }

  private void getLevels(ByteSource in, int count) {
    in.getFloats(magnitudes, 0, magnitudes.length);
    int[] codes = new int[count];
    levels.decode(in, codes, count);
    for (int i = 0; i < count; i++) {
      float magnitude = magnitudes[codes[i] >>> 1];
      values[i] = (codes[i] & 1) == 0 ? magnitude : -magnitude;
    }
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
    if (levels == null) {
      in.getFloats(values, 0, coming);
    } else {
      getLevels(in, coming);
    }
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
