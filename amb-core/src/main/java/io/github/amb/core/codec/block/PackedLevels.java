package io.github.amb.core.codec.block;

import java.util.Arrays;

/**
 * Packs numbers of a fixed width in bits. A width is split into parts of 16, 8, 4, 2 and 1 bits,
 * and the parts are written lowest first. If a part of some numbers takes n integers, integer w has
 * the bits of numbers w, w + n, w + 2n, and so on. No bit is wasted, and the JIT vectorizes packing
 * and unpacking.
 */
public final class PackedLevels {
  private static final int GROUP = Reinterpretation.MAX;

  private final Reinterpretation bits = new Reinterpretation();
  private final int[] integers = new int[GROUP];
  private final int[] plane = new int[GROUP];
  private final int width;

  /**
   * @param width bits per number, 1 to 16
   */
  public PackedLevels(int width) {
    this.width = width;
  }

  /**
   * Number of integers that {@code part} bits of {@code count} numbers, at most {@value #GROUP},
   * take.
   */
  private static int integers(int count, int part) {
    return (count * part + Integer.SIZE - 1) / Integer.SIZE;
  }

  /** Width of the part that starts at bit {@code low}: the largest power of two that fits. */
  private int part(int low) {
    return Integer.highestOneBit(width - low);
  }

  /**
   * Appends numbers.
   *
   * @param codes the first {@code count} have no bits set beyond the width; not modified
   */
  public void encode(int[] codes, int count, ByteSink out) {
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
   * Reads numbers.
   *
   * @param codes receives {@code count} numbers
   */
  public void decode(ByteSource in, int[] codes, int count) {
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
