package io.github.amb.bench.compute;

import com.sun.management.ThreadMXBean;
import io.github.amb.bench.harness.Sample;
import java.lang.management.ManagementFactory;

/** Counts the bytes that one thread allocates per step. Counting allocates nothing. */
final class AllocationCounter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long[] bytes;
  private int steps;

  /** A counter for {@code steps} steps, warm-up included. */
  AllocationCounter(int steps) {
    bytes = new long[steps];
  }

  /** Marks the end of a step of the calling thread. */
  void stepEnded() {
    bytes[steps++] = THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Bytes of each step after the first {@code warmUp} steps, at least 1. */
  Sample perStep(int warmUp) {
    double[] differences = new double[steps - warmUp];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = bytes[warmUp + i] - bytes[warmUp + i - 1];
    }
    return Sample.of(differences);
  }
}
