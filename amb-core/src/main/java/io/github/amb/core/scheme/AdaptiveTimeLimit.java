package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * The time limit under which the last steps would have processed the most examples per second.
 *
 * <p>Of each worker and each of the last steps it remembers the delay d before the computation and
 * the time c per partition. Under a limit T that worker would have done {@code m = min(P, max(1,
 * ⌈(T − d)/c⌉))} partitions and ended after {@code d + m c}; the step would have lasted until the
 * last worker's end, and a mean overhead for messages and the update. As a delay is seen in full
 * whatever the limit, nothing is hidden from it by the limits it has chosen itself.
 */
final class AdaptiveTimeLimit implements TimeLimit, Checkpointed {
  /** Steps remembered: few enough to follow changes, enough to tell limits apart. */
  static final int WINDOW = 64;

  private static final int CANDIDATES = 200;
  private static final int EVERY_STEP_UNTIL = 8;
  private static final int THEN_EVERY = 4;

  private final int workers;
  private final BatchPolicy policy;
  private final double[][] delays;
  private final double[][] partitionTimes;
  private final double[] overheads = new double[WINDOW];
  private long steps;
  private double limit = Double.POSITIVE_INFINITY;

  AdaptiveTimeLimit(int workers, BatchPolicy policy) {
    this.workers = workers;
    this.policy = policy;
    delays = new double[WINDOW][workers];
    partitionTimes = new double[WINDOW][workers];
  }

  @Override
  public double next() {
    return limit;
  }

  @Override
  public void observe(Gathering results, double stepTime) {
    int slot = (int) (steps % WINDOW);
    double longest = 0;
    for (int worker = 0; worker < workers; worker++) {
      Frame result = results.result(worker);
      double computeTime = result.stat(GradientStats.COMPUTE_TIME);
      double delay = result.stat(GradientStats.SLEEP_TIME);
      delays[slot][worker] = delay;
      partitionTimes[slot][worker] = (computeTime - delay) / result.stat(GradientStats.PARTITIONS);
      longest = Math.max(longest, computeTime);
    }
    overheads[slot] = Math.max(0, stepTime - longest);
    steps++;
    if (steps <= EVERY_STEP_UNTIL || steps % THEN_EVERY == 0) {
      limit = best();
    }
  }

  @Override
  public void visit(StateVisitor state) {
    steps = state.integer("steps", steps);
    limit = state.real("limit", limit);
    state.doubles("overheads", overheads);
    for (int slot = 0; slot < WINDOW; slot++) {
      state.doubles("delays-" + slot, delays[slot]);
      state.doubles("partition-times-" + slot, partitionTimes[slot]);
    }
  }

  private int remembered() {
    return (int) Math.min(steps, WINDOW);
  }

  private double best() {
    double longest = longest();
    double best = longest;
    double bestRate = 0;
    for (int k = 1; k <= CANDIDATES; k++) {
      double candidate = longest * k / CANDIDATES;
      double rate = examplesPerSecond(candidate);
      if (rate > bestRate) {
        best = candidate;
        bestRate = rate;
      }
    }
    return best;
  }

  /** Seconds of the longest whole batch. */
  private double longest() {
    double longest = 0;
    for (int step = 0; step < remembered(); step++) {
      for (int worker = 0; worker < workers; worker++) {
        longest =
            Math.max(
                longest, delays[step][worker] + policy.partitions() * partitionTimes[step][worker]);
      }
    }
    return longest;
  }

  private double examplesPerSecond(double candidate) {
    double partitions = 0;
    double seconds = 0;
    for (int step = 0; step < remembered(); step++) {
      double end = 0;
      for (int worker = 0; worker < workers; worker++) {
        double delay = delays[step][worker];
        double each = partitionTimes[step][worker];
        double done =
            Math.min(policy.partitions(), Math.max(1, Math.ceil((candidate - delay) / each)));
        partitions += done;
        end = Math.max(end, delay + done * each);
      }
      seconds += end + overheads[step];
    }
    return partitions / seconds;
  }
}
