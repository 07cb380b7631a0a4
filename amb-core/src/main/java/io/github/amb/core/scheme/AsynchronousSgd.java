package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;

/**
 * Asynchronous SGD (ASGD): every gradient is applied as it comes, and its worker goes on at once
 * with the newest parameters.
 *
 * <p>Dean et al.: "Large Scale Distributed Deep Networks", NIPS 2012.
 */
final class AsynchronousSgd implements Scheme {
  private final BatchPolicy policy;

  AsynchronousSgd(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    new AsynchronousMaster(master, communicator, BatchClocks.UNBOUNDED, GradientCorrection.NONE)
        .run();
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
