package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.scheme.part.AdaptiveTimeLimit;
import java.util.ArrayList;
import java.util.List;

/**
 * Anytime Mini-Batch (AMB): every worker computes for the same time T, an induced delay included,
 * and sends the gradient sum over the examples it managed, at least one partition. The choice where
 * workers differ in speed from step to step.
 *
 * <p>{@code w(t+1) = w(t) − η Σᵢ gᵢ(t) / Σᵢ bᵢ(t)}, where worker i has computed gᵢ(t), the sum of
 * bᵢ(t) gradients at w(t), in the time T.
 *
 * <p>Ferdinand, Al-Lawati, Draper, Nokleby: "Anytime Minibatch: Exploiting Stragglers in Online
 * Distributed Optimization", ICLR 2019; here with a master in place of consensus, as in Ferdinand
 * and Draper: "Anytime Stochastic Gradient Descent: A Time to Hear from all the Workers", Allerton
 * 2018.
 */
final class AnytimeMiniBatch implements Scheme {
  /** A time limit that the master chooses and adapts during the run. */
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
  public void master(Master master) {
    AdaptiveTimeLimit best = auto ? adaptive(master) : null;
    while (master.nextStep()) {
      if (auto) {
        master.timeLimit(best.next()); // T, with w
      }
      master.broadcast(); // w(t) to all
      Gathering results = master.gather(master.workers()); // gᵢ(t), bᵢ(t) of each
      master.update(); // w(t+1) ← w(t) − η Σ gᵢ(t) / Σ bᵢ(t)
      if (auto) {
        best.observe(results, master.stepTime());
      }
      master.record();
    }
  }

  private AdaptiveTimeLimit adaptive(Master master) {
    AdaptiveTimeLimit best = new AdaptiveTimeLimit(master.workers(), policy);
    master.context().state().register("time-limit", best);
    return best;
  }

  @Override
  public void worker(Worker worker) {
    worker.addUpOnTheWay();
    while (worker.receive()) { // w(t)
      worker.begin(worker.step(), auto ? worker.timeLimit() : policy.timeLimit()); // gᵢ, bᵢ ← 0
      do {
        worker.computePartition(); // gᵢ ← gᵢ + Σ ∇f(w(t), x), bᵢ ← bᵢ + B/P
      } while (worker.hasTime()); // until T is over
      worker.send(); // gᵢ(t), bᵢ(t)
    }
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
