package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;

/** Indices of the numbers that a {@link Frame.Kind#GRADIENT} frame carries; times in seconds. */
final class GradientStats {
  /** Sum of the examples' losses. */
  static final int LOSS_SUM = 0;

  /** Partitions processed. */
  static final int PARTITIONS = 1;

  /** Induced delay. */
  static final int SLEEP_TIME = 2;

  /** Start of the step to the end of the computation. */
  static final int COMPUTE_TIME = 3;

  /** Sending the last gradient; −1 if there was none. */
  static final int LAST_SEND = 4;

  /** End of that send until the next parameters had come; −1 if there was none. */
  static final int LAST_RECV = 5;

  /** From then until the computation started; −1 if there was none. */
  static final int LAST_EXIT = 6;

  /** 1 if a time limit was set and the batch ran out before it, else 0. */
  static final int EXHAUSTED = 7;

  private GradientStats() {}
}
