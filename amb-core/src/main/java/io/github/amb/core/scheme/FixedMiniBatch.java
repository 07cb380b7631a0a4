package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;

/**
 * Fixed Mini-Batch (FMB): every worker computes its whole batch, and the step ends with the slowest
 * worker. Also known as synchronous SGD.
 */
final class FixedMiniBatch implements Scheme {
  private final BatchPolicy policy;

  FixedMiniBatch(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    new SynchronousMaster(master, communicator).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    WaitingWorker.awaited(worker, communicator, policy).run();
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
