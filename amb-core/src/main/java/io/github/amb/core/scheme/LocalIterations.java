package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;

/** How many local iterations a worker does between two sets of parameters. */
interface LocalIterations {
  /** The parameters of {@code step} have come; the first iteration starts now. */
  void begin(long step);

  /**
   * Whether to do another iteration.
   *
   * @param done iterations done at these parameters, at least 1
   */
  boolean goOn(int done);

  /** Whether an iteration has an induced delay. {@code done} is the number before it. */
  default boolean delayed(int done) {
    return true;
  }

  /** Takes note of a frame from the master that is neither parameters nor the end. */
  default void advised(Frame advice) {}

  /** Says between partitions whether the iteration under way is to be given up. */
  default Refresh refresh() {
    return Refresh.NEVER;
  }
}
