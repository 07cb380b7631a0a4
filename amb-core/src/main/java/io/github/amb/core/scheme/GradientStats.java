package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.update.NonFiniteGradientException;

/** Indices of the numbers that a worker's result carries; times in seconds. */
final class GradientStats {
  /** Sum of the examples' losses. */
  static final int LOSS_SUM = Frame.LOSS_SUM;

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

  /** Local updates in a {@link Frame.Kind#DELTA}. */
  static final int LOCAL_STEPS = 8;

  /** Place of the first example in the worker's order. */
  static final int FIRST_EXAMPLE = Frame.FIRST_EXAMPLE;

  private GradientStats() {}

  /** The same, with the examples of the result that it is about. */
  static NonFiniteGradientException named(NonFiniteGradientException e, Frame result) {
    return e.of((long) result.stat(FIRST_EXAMPLE), result.examples());
  }

  /**
   * What a result says of its making, as a record.
   *
   * @param time seconds since training started
   * @param masterStep number of the update that it is for
   * @param rank the worker
   * @param waitTime seconds the master waited for it
   * @param staleness updates since its parameters
   */
  static WorkerRecord record(
      Frame result, double time, long masterStep, int rank, double waitTime, long staleness) {
    return new WorkerRecord(
        time,
        masterStep,
        rank,
        result.examples(),
        (int) result.stat(PARTITIONS),
        result.stat(EXHAUSTED) != 0,
        result.stat(LAST_SEND),
        result.stat(LAST_RECV),
        result.stat(LAST_EXIT),
        result.stat(SLEEP_TIME),
        result.stat(COMPUTE_TIME),
        waitTime,
        staleness);
  }
}
