package io.github.amb.core.update;

import java.util.concurrent.atomic.AtomicInteger;

/** A vector split into ranges of equal length, which threads take in ascending order. */
final class UpdateRanges {
  private final long size;

  /** Number of ranges. */
  final int count;

  private final AtomicInteger next = new AtomicInteger();

  UpdateRanges(int size, int count) {
    this.size = size;
    this.count = count;
  }

  /**
   * Index of the first entry of a range; for the range after the last, the length of the vector.
   */
  int begin(int range) {
    return (int) (size * range / count);
  }

  /** Takes the next range, from 0; {@link #count} or more if none is left. */
  int take() {
    return next.getAndIncrement();
  }

  /** Makes all ranges available again. */
  void reset() {
    next.set(0);
  }
}
