package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.DelayedMessages;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.scheme.context.WorkerContext;

/**
 * Who waits for whom, and when the master updates: the loops of a master and a worker, written once
 * for every engine.
 *
 * <p>Instances hold options only and may be shared between ranks.
 *
 * <p>{@link #master} and {@link #worker} are called again in each generation and after a resume.
 * What a loop remembers registers with {@code context().state()}. An {@link EngineException} must
 * pass through.
 */
public interface Scheme {
  /** The master's loop; returns when {@link Master#nextStep} says that training is over. */
  void master(Master master);

  /** A worker's loop; returns when the master says that training is over. */
  void worker(Worker worker);

  /** How a worker's batch is cut, and how much of it one step computes without workers. */
  BatchPolicy batchPolicy();

  /** What its workers send to the master. */
  default Uplink uplink() {
    return Uplink.GRADIENTS;
  }

  /**
   * The minimum number of workers with which it can continue when others fail.
   *
   * @param workers with which the run started
   */
  default int minWorkers(int workers) {
    return 1;
  }

  /** Whether the master computes with the very parameters that a worker was sent. */
  default boolean needsExactParameters() {
    return false;
  }

  /**
   * Whether workers act on messages that come while a result is under way. No record keeps when
   * those came.
   */
  default boolean hearsWhileComputing() {
    return false;
  }

  /**
   * Whether every step waits for one gradient of each worker, and the master uses their sum alone.
   * Gradients may then be added up on their way to it.
   */
  default boolean sumsGradients() {
    return false;
  }

  /** Whether its master applies momentum of its own to what workers send. */
  default boolean hasMomentum() {
    return false;
  }

  /** Number of fragments of a vector that messages have in turn; 1 for whole vectors. */
  default int fragments() {
    return 1;
  }

  /**
   * Standard deviation of a delay that every receiver adds to parameters and results, in seconds; 0
   * or less for none.
   */
  default double messageDelay() {
    return 0;
  }

  /** Runs the master's part on an engine. */
  default void runMaster(MasterContext master, Communicator communicator) {
    Communicator delayed =
        DelayedMessages.over(
            communicator, master.clock(), master.streams(), messageDelay(), master.state());
    master(new Master(master, delayed, uplink()));
  }

  /** Runs a worker's part on an engine. */
  default void runWorker(WorkerContext worker, Communicator communicator) {
    Communicator delayed =
        DelayedMessages.over(
            communicator, worker.clock(), worker.streams(), messageDelay(), worker.state());
    worker(new Worker(worker, delayed, batchPolicy(), sumsGradients()));
  }
}
