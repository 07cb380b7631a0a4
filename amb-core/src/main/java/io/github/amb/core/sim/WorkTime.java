package io.github.amb.core.sim;

import io.github.amb.core.engine.Work;

/** How long work takes on each rank of a virtual cluster. */
@FunctionalInterface
public interface WorkTime {
  /**
   * Duration of work on a rank in nanoseconds. Called in the order in which the rank works.
   *
   * @param rank the rank that works
   * @param work the kind of work
   * @param amount how much work, in the unit of {@code work}; a value of a flat vector counts as
   *     many times as it stands for parameters
   */
  long nanos(int rank, Work work, long amount);
}
