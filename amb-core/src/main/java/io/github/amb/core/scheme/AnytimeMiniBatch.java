package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;

/**
 * Anytime Mini-Batch (AMB): every worker computes for the same time T, an induced delay included,
 * and sends the gradient sum over the examples it managed, at least one partition.
 *
 * <p>Ferdinand, Al-Lawati, Draper, Nokleby: "Anytime Minibatch: Exploiting Stragglers in Online
 * Distributed Optimization", ICLR 2019; here with a master in place of consensus, as in Ferdinand
 * and Draper: "Anytime Stochastic Gradient Descent: A Time to Hear from all the Workers", Allerton
 * 2018.
 */
final class AnytimeMiniBatch implements Scheme {
  private final BatchPolicy policy;

  AnytimeMiniBatch(SchemeOptions options) {
    policy =
        new BatchPolicy(
            options.batchSize(), options.ambNumPartitions(), Clock.nanos(options.ambTimeLimit()));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    new SynchronousMaster(master, communicator).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new SynchronousWorker(worker, communicator, policy).run();
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
