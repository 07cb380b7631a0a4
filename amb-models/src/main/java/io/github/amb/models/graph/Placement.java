package io.github.amb.models.graph;

import io.github.amb.core.statistic.Sorted;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Offsets of arrays in one block of memory. Arrays whose lifetimes have a step in common do not
 * overlap.
 *
 * <p>The largest array comes first. Each gets the smallest gap that fits among those placed before
 * it, which leaves little memory unused (Pisarchyk and Lee, 2020).
 */
public final class Placement {
  /** Arrays start at multiples of a cache line. */
  private static final long ALIGNMENT = 64;

  private final List<Lifetime> arrays;
  private final long[] offsets;
  private long bytes;

  /** Steps in which an array is in use, by index; both are included. */
  public record Span(int first, int last) {
    private boolean meets(Span other) {
      return first <= other.last && other.first <= last;
    }
  }

  /**
   * When an array is in use.
   *
   * @param spans between which its entries may be lost
   * @param bytes its size
   */
  public record Lifetime(List<Span> spans, long bytes) {
    private boolean meets(Lifetime other) {
      return spans.stream().anyMatch(span -> other.spans.stream().anyMatch(span::meets));
    }
  }

  public Placement(List<Lifetime> arrays) {
    this.arrays = arrays;
    offsets = new long[arrays.size()];
    int[] order =
        Sorted.of(
            IntStream.range(0, offsets.length),
            Comparator.comparingLong(i -> -arrays.get(i).bytes));
    for (int i = 0; i < order.length; i++) {
      offsets[order[i]] = place(order, i);
      bytes = Math.max(bytes, end(order[i]));
    }
  }

  /** The offset of array {@code order[count]}, with those before it in place. */
  private long place(int[] order, int count) {
    Lifetime array = arrays.get(order[count]);
    IntStream others =
        IntStream.of(order).limit(count).filter(other -> arrays.get(other).meets(array));
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    long free = 0;
    for (int other : Sorted.of(others, Comparator.comparingLong(i -> offsets[i]))) {
      long gap = offsets[other] - free;
      if (gap >= array.bytes && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      free = Math.max(free, end(other));
    }
    return best < 0 ? free : best;
  }

  /** The first aligned offset after an array. */
  private long end(int array) {
    return (offsets[array] + arrays.get(array).bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Offset of the first byte of an array. */
  public long offset(int array) {
    return offsets[array];
  }

  /** Number of bytes of the block. */
  public long bytes() {
    return bytes;
  }
}
