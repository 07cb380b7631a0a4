package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;

/**
 * How much of its batch a worker computes in one step: the batch is cut into partitions, and
 * partitions are processed until the batch or the time limit is exhausted, at least one.
 *
 * @param batchSize examples per worker and step, B
 * @param partitions number of partitions, P, at most B
 * @param timeLimit nanoseconds from the start of the step, T; {@link Clock#NEVER} for none
 */
public record BatchPolicy(int batchSize, int partitions, long timeLimit) {
  /** The whole batch at once, however long it takes. */
  public static BatchPolicy fixed(int batchSize) {
    return new BatchPolicy(batchSize, 1, Clock.NEVER);
  }

  /** Index in the batch one past partition {@code k}: ⌊(k+1)B/P⌋, so sizes differ by at most 1. */
  public int partitionEnd(int k) {
    return (int) ((k + 1L) * batchSize / partitions);
  }
}
