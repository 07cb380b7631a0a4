package io.github.amb.bench.allocation;

import com.sun.management.ThreadMXBean;
import io.github.amb.bench.harness.Sample;
import java.lang.management.ManagementFactory;

/** Counts the bytes that one thread allocates from step to step; counting allocates nothing. */
final class AllocationCounter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long[] bytes;
  private int steps;

  /** Room for so many steps, warm-up included. */
  AllocationCounter(int steps) {
    bytes = new long[steps];
  }

  /** A step of the calling thread has ended. */
  void stepEnded() {
    bytes[steps++] = THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Bytes of each step after the first {@code warmUp}, which is at least 1. */
  Sample perStep(int warmUp) {
    double[] differences = new double[steps - warmUp];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = bytes[warmUp + i] - bytes[warmUp + i - 1];
    }
    return Sample.of(differences);
  }
}
