package io.github.amb.core.codec;

import java.util.Arrays;

/**
 * Small numbers of a fixed number of bits each. Their bits are written in parts of 16, 8, 4, 2 and
 * 1 bits, as the width is made of, the lowest first. Of the n integers that a part of some numbers
 * takes, integer w has those of numbers w, w + n, w + 2n and so on, the lowest bits first: no bit
 * is wasted, and the JIT vectorizes packing and unpacking.
 */
final class PackedLevels {
  private static final int GROUP = Reinterpretation.MOST;

  private final Reinterpretation bits = new Reinterpretation();
  private final int[] integers = new int[GROUP];
  private final int[] plane = new int[GROUP];
  private final int width;

  /**
   * @param width bits of a number, 1 to 16
   */
  PackedLevels(int width) {
    this.width = width;
  }

  /** Integers that a part of {@code count} numbers, at most {@value #GROUP}, takes. */
  private static int integers(int count, int part) {
    return (count * part + Integer.SIZE - 1) / Integer.SIZE;
  }

  /** Bits of the part that starts at bit {@code low}: the largest power of two that is left. */
  private int part(int low) {
    return Integer.highestOneBit(width - low);
  }

  /**
   * @param codes the first {@code count} have no bits beyond the width
   */
  void encode(int[] codes, int count, ByteSink out) {
    for (int start = 0; start < count; start += GROUP) {
      for (int low = 0; low < width; low += part(low)) {
        int n = join(codes, start, Math.min(GROUP, count - start), low);
        int at = out.skip(n * Integer.BYTES);
        bits.toBytes(integers, 0, n, out.bytes(), at);
      }
    }
  }

  private int join(int[] codes, int from, int count, int low) {
    int part = part(low);
    int n = integers(count, part);
    Arrays.fill(integers, 0, n, 0);
    int shift = 0;
    for (int start = 0; start < count; start += n, shift += part) {
      int length = Math.min(n, count - start);
      System.arraycopy(codes, from + start, plane, 0, length);
      or(plane, integers, length, low, (1 << part) - 1, shift);
    }
    return n;
  }

  /** All arrays have one index, as the JIT does not vectorize loops with offsets. */
  private static void or(int[] codes, int[] integers, int count, int low, int mask, int shift) {
    for (int i = 0; i < count; i++) {
      integers[i] |= (codes[i] >>> low & mask) << shift;
    }
  }

  /**
   * @param codes receives {@code count} numbers
   */
  void decode(ByteSource in, int[] codes, int count) {
    Arrays.fill(codes, 0, count, 0);
    for (int start = 0; start < count; start += GROUP) {
      int length = Math.min(GROUP, count - start);
      for (int low = 0; low < width; low += part(low)) {
        int n = integers(length, part(low));
        bits.ofBytes(in.bytes(), in.skip(n * Integer.BYTES), integers, 0, n);
        separate(codes, start, length, low);
      }
    }
  }

  private void separate(int[] codes, int from, int count, int low) {
    int part = part(low);
    int n = integers(count, part);
    int shift = 0;
    for (int start = 0; start < count; start += n, shift += part) {
      int length = Math.min(n, count - start);
      System.arraycopy(codes, from + start, plane, 0, length);
      extract(integers, plane, length, low, (1 << part) - 1, shift);
      System.arraycopy(plane, 0, codes, from + start, length);
    }
  }

  private static void extract(
      int[] integers, int[] codes, int count, int low, int mask, int shift) {
    for (int i = 0; i < count; i++) {
      codes[i] |= (integers[i] >>> shift & mask) << low;
    }
  }
}
