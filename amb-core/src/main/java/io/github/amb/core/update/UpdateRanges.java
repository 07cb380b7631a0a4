package io.github.amb.core.update;

import java.util.concurrent.atomic.AtomicInteger;

/** A vector cut into ranges of equal length, which threads take in ascending order. */
final class UpdateRanges {
  private final long size;
  private final int count;
  private final AtomicInteger next = new AtomicInteger();

  UpdateRanges(int size, int count) {
    this.size = size;
    this.count = count;
  }

  /** Number of ranges. */
  int count() {
    return count;
  }

  /** First entry of a range; of the one behind the last, the length of the vector. */
  int begin(int range) {
    return (int) (size * range / count);
  }

  /** The next range that no thread has taken, from 0; {@link #count} or more if there is none. */
  int take() {
    return next.getAndIncrement();
  }

  /** All ranges are there to be taken again. */
  void reset() {
    next.set(0);
  }
}
