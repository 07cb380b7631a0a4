package io.github.amb.core.codec.block;

/**
 * Encodes ascending indices as Rice codes of their gaps, within a few hundredths of a bit of the
 * entropy of a random set.
 *
 * <p>Rice and Plaunt: "Adaptive Variable-Length Coding for Efficient Compression of Spacecraft
 * Television Data", IEEE Transactions on Communication Technology 19 (1971).
 */
public final class RiceIndices {
  private static final int MAX_LOW_BITS = 30;

  private RiceIndices() {}

  /**
   * Appends indices.
   *
   * @param indices the first {@code count} ascend and are less than {@code length}; not modified
   */
  public static void encode(int[] indices, int count, int length, ByteSink out) {
    int lowBits = lowBits(indices, count, length);
    out.putByte(lowBits);
    int sizeAt = out.skip(Integer.BYTES);
    BitSink bits = new BitSink(out);
    int mask = (1 << lowBits) - 1;
    int next = 0;
    for (int i = 0; i < count; i++) {
      int gap = indices[i] - next;
      bits.putUnary(gap >>> lowBits);
      bits.put(gap & mask, lowBits);
      next = indices[i] + 1;
    }
    bits.flush();
    out.setInt(sizeAt, out.length() - sizeAt - Integer.BYTES);
  }

  /** The parameter with the fewest bits, searched near the optimum for a random set. */
  private static int lowBits(int[] indices, int count, int length) {
    double meanGap = (length - count) / (count + 1.0);
    int usual =
        (int) Math.max(0, Math.floor(Math.log(Math.max(1, meanGap * Math.log(2))) / Math.log(2)));
    int best = usual;
    long fewest = Long.MAX_VALUE;
    for (int candidate = Math.max(0, usual - 1);
        candidate <= Math.min(usual + 1, MAX_LOW_BITS);
        candidate++) {
      long size = size(indices, count, candidate);
      if (size < fewest) {
        fewest = size;
        best = candidate;
      }
    }
    return best;
  }

  private static long size(int[] indices, int count, int lowBits) {
    long size = (long) count * (1 + lowBits);
    int next = 0;
    for (int i = 0; i < count; i++) {
      size += (indices[i] - next) >>> lowBits;
      next = indices[i] + 1;
    }
    return size;
  }

  /**
   * Reads indices.
   *
   * @param indices receives {@code count} ascending indices less than {@code length}
   * @throws MalformedEncodingException if an index is too large
   */
  public static void decode(ByteSource in, int[] indices, int count, int length) {
    int lowBits = in.getByte();
    if (lowBits > MAX_LOW_BITS) {
      throw new MalformedEncodingException(
          "expected a Rice parameter up to %d, found %d".formatted(MAX_LOW_BITS, lowBits));
    }
    BitSource bits = new BitSource(in, in.getInt());
    int next = 0;
    for (int i = 0; i < count; i++) {
      int most = (length - 1 - next) >> lowBits;
      long index = next + ((long) bits.getUnary(most) << lowBits) + bits.get(lowBits);
      if (index >= length) {
        throw new MalformedEncodingException(
            "expected an index below %d, found %d".formatted(length, index));
      }
      indices[i] = (int) index;
      next = indices[i] + 1;
    }
  }
}
