package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Uplink;

/**
 * Who waits for whom, and when the master updates; written once, for every engine.
 *
 * <p>Instances hold options only and may be shared between ranks.
 */
public interface Scheme {
  /** The master's part; returns when training is over and every worker has been told. */
  void runMaster(MasterContext master, Communicator communicator);

  /** A worker's part; returns when the master says that training is over. */
  void runWorker(WorkerContext worker, Communicator communicator);

  /**
   * The fewest workers that it can go on with when others are lost.
   *
   * @param workers with which the run started
   */
  default int leastWorkers(int workers) {
    return 1;
  }

  /** What its workers send to the master. */
  default Uplink uplink() {
    return Uplink.GRADIENTS;
  }

  /** Whether the master computes with the very parameters that a worker was sent. */
  default boolean needsExactParameters() {
    return false;
  }

  /** How much of its batch a worker computes in one step; also what local training does. */
  BatchPolicy batchPolicy();
}
