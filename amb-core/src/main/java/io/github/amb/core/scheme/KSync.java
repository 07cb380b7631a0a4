package io.github.amb.core.scheme;

import io.github.amb.core.engine.Communicator;
import java.util.List;

/**
 * K-sync SGD: every step takes the first k of n workers' gradients at its parameters; the n − k
 * others are backup workers. A gradient that comes when its step is over is dropped, and its worker
 * goes on with the newest parameters.
 *
 * <p>Chen, Pan, Monga, Bengio, Jozefowicz: "Revisiting Distributed Synchronous SGD", 2016; Dutta,
 * Joshi, Ghosh, Dube, Nagpurkar: "Slow and Stale Gradients Can Win the Race", AISTATS 2018.
 */
final class KSync implements Scheme {
  static final SchemeOption<Integer> NUM_AGGREGATE =
      SchemeOption.integer(
          "num-aggregate", null, 1, "gradients per update, k, at most the number of workers");

  private final BatchPolicy policy;
  private final int aggregate;

  KSync(SchemeOptions options) {
    policy = BatchPolicy.fixed(options.batchSize());
    aggregate = options.get(NUM_AGGREGATE);
  }

  static List<String> problems(SchemeOptions options) {
    if (options.workers() == 0) {
      return List.of("--workers: expected at least 1 with scheme k-sync, found 0");
    }
    return options.get(NUM_AGGREGATE) <= options.workers()
        ? List.of()
        : List.of(
            "--num-aggregate: expected 1 to %d (the number of workers), found %d"
                .formatted(options.workers(), options.get(NUM_AGGREGATE)));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    Round round = Round.ofGradients(Aggregation.first(aggregate));
    new SynchronousMaster(master, communicator, round).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new WaitingWorker(worker, communicator, policy).run();
  }

  @Override
  public int leastWorkers(int workers) {
    return aggregate;
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
