package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import java.util.List;

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
  static final SchemeOption<Double> TIME_LIMIT =
      SchemeOption.real(
          "amb-time-limit",
          null,
          value -> value > 0,
          "seconds above 0",
          "how long each worker computes per step, T");
  static final SchemeOption<Integer> NUM_PARTITIONS =
      SchemeOption.integer(
          "amb-num-partitions", null, 1, "slices per batch, P, at most the batch size");

  private final BatchPolicy policy;

  AnytimeMiniBatch(SchemeOptions options) {
    policy = policy(options);
  }

  static BatchPolicy policy(SchemeOptions options) {
    return new BatchPolicy(
        options.batchSize(), options.get(NUM_PARTITIONS), Clock.nanos(options.get(TIME_LIMIT)));
  }

  static List<String> problems(SchemeOptions options) {
    return options.get(NUM_PARTITIONS) <= options.batchSize()
        ? List.of()
        : List.of(
            "--amb-num-partitions: expected 1 to %d (the batch size), found %d"
                .formatted(options.batchSize(), options.get(NUM_PARTITIONS)));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    new SynchronousMaster(master, communicator).run();
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
