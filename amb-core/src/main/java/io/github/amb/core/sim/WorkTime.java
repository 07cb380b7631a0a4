package io.github.amb.core.sim;

import io.github.amb.core.engine.Work;

/** How long work takes on each rank of a virtual cluster. */
@FunctionalInterface
public interface WorkTime {
  /**
   * Nanoseconds that {@code rank} takes; called in the order in which the rank works.
   *
   * @param amount how much work, in the unit of {@code work}; values of a flat vector count for
   *     what they stand for
   */
  long nanos(int rank, Work work, long amount);
}
