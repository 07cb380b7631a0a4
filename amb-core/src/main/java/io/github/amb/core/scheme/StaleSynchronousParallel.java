package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;

/**
 * Stale Synchronous Parallel (SSP): asynchronous, but a worker starts its next batch only when it
 * has finished at most s batches more than the slowest worker.
 *
 * <p>With s = 0 all workers compute each batch at the same parameters, as in {@code sync}, and each
 * gradient is still an update of its own; without a limit it is {@code async}.
 *
 * <p>Ho et al.: "More Effective Distributed ML via a Stale Synchronous Parallel Parameter Server",
 * NIPS 2013.
 */
final class StaleSynchronousParallel implements Scheme {
  static final SchemeOption<Long> STALENESS =
      new SchemeOption<>(
          "staleness",
          text -> text.equals("inf") ? Long.valueOf(BatchClocks.UNBOUNDED) : Long.valueOf(text),
          value -> value >= 0,
          "integer, 0 (as sync) or more, or inf (as async)",
          null,
          true,
          "batches that a worker may be ahead of the slowest, s");

  private final BatchPolicy policy;
  private final long staleness;

  StaleSynchronousParallel(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
    staleness = options.get(STALENESS);
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    new AsynchronousMaster(master, communicator, staleness, GradientCorrection.NONE).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new WaitingWorker(worker, communicator, policy).run();
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
