package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import java.util.ArrayList;
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
  /** A time limit that the master chooses and adapts while the run goes on. */
  static final double AUTO = -1;

  static final SchemeOption<Double> TIME_LIMIT =
      new SchemeOption<>(
          "amb-time-limit",
          text -> text.equals("auto") ? Double.valueOf(AUTO) : SchemeOption.parseReal(text),
          value -> value > 0 || value == AUTO,
          "seconds above 0, or auto",
          null,
          true,
          "how long each worker computes per step, T; amb finds the best with auto");
  static final SchemeOption<Integer> NUM_PARTITIONS =
      SchemeOption.integer(
          "amb-num-partitions", null, 1, "slices per batch, P, at most the batch size");

  private final BatchPolicy policy;
  private final boolean auto;

  AnytimeMiniBatch(SchemeOptions options) {
    auto = options.get(TIME_LIMIT) == AUTO;
    policy = policy(auto ? options.with(TIME_LIMIT, Double.POSITIVE_INFINITY) : options);
  }

  static BatchPolicy policy(SchemeOptions options) {
    return new BatchPolicy(
        options.batchSize(), options.get(NUM_PARTITIONS), Clock.nanos(options.get(TIME_LIMIT)));
  }

  /** What is wrong with a scheme whose time limit the master cannot choose. */
  static List<String> fixedLimitProblems(SchemeOptions options) {
    return options.get(TIME_LIMIT) == AUTO
        ? List.of("--amb-time-limit auto: expected scheme amb and workers; give seconds instead")
        : List.of();
  }

  /** What is wrong with a fixed time limit and partitions. */
  static List<String> fixedProblems(SchemeOptions options) {
    List<String> problems = new ArrayList<>(fixedLimitProblems(options));
    problems.addAll(partitionProblems(options));
    return problems;
  }

  static List<String> problems(SchemeOptions options) {
    return options.workers() == 0 ? fixedProblems(options) : partitionProblems(options);
  }

  private static List<String> partitionProblems(SchemeOptions options) {
    return options.get(NUM_PARTITIONS) <= options.batchSize()
        ? List.of()
        : List.of(
            "--amb-num-partitions: expected 1 to %d (the batch size), found %d"
                .formatted(options.batchSize(), options.get(NUM_PARTITIONS)));
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    TimeLimit timeLimit = timeLimit(master, communicator.size() - 1);
    Round round = Round.ofGradients(Aggregation.first(communicator.size() - 1));
    new SynchronousMaster(master, communicator, round.within(timeLimit)).run();
  }

  private TimeLimit timeLimit(MasterContext master, int workers) {
    if (!auto) {
      return TimeLimit.NONE;
    }
    AdaptiveTimeLimit adaptive = new AdaptiveTimeLimit(workers, policy);
    master.state().register("time-limit", adaptive);
    return adaptive;
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
