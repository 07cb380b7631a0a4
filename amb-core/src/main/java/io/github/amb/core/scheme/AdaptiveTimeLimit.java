package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * The time limit under which the last steps would have made the most progress per second.
 *
 * <p>Of each worker and each of the last steps it remembers the delay d before the computation and
 * the time c per partition. Under a limit T that worker would have done {@code m = min(P, max(1,
 * ⌈(T − d)/c⌉))} partitions and ended after {@code d + m c}; the step would have lasted until the
 * last worker's end, and a mean overhead for messages and the update. As a delay is seen in full
 * whatever the limit, nothing is hidden from it by the limits it has chosen itself.
 *
 * <p>A step with B examples makes the progress {@code 1 / (1 + N/B)} of one without noise, where N
 * is the {@linkplain NoiseScale gradient noise scale}. With N infinite, progress is proportional to
 * B, and the limit that of the most examples per second.
 */
public final class AdaptiveTimeLimit implements Checkpointed {
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
  private double noise = Double.POSITIVE_INFINITY;

  /**
   * @param policy how the workers cut their batches
   */
  public AdaptiveTimeLimit(int workers, BatchPolicy policy) {
    this.workers = workers;
    this.policy = policy;
    delays = new double[WINDOW][workers];
    partitionTimes = new double[WINDOW][workers];
  }

  /** Seconds for the workers' next computation; infinite for no limit, as in the first step. */
  public double next() {
    return limit;
  }

  /**
   * Sets the gradient noise scale.
   *
   * @param examples N, above 0; infinite until it is set
   */
  public void noise(double examples) {
    noise = examples * policy.partitions() / policy.batchSize();
  }

  /**
   * Learns from a step.
   *
   * @param results every worker's; not modified
   * @param stepTime seconds from before the parameters were sent to after the update
   */
  public void observe(Gathering results, double stepTime) {
    int slot = (int) (steps % WINDOW);
    double longest = 0;
    for (int worker = 0; worker < workers; worker++) {
      Result result = results.result(worker);
      double computeTime = result.computeTime();
      double delay = result.sleepTime();
      delays[slot][worker] = delay;
      partitionTimes[slot][worker] = (computeTime - delay) / result.partitions();
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
      double rate = progressPerSecond(candidate);
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

  private double progressPerSecond(double candidate) {
    double progress = 0;
    double seconds = 0;
    for (int step = 0; step < remembered(); step++) {
      double end = 0;
      double partitions = 0;
      for (int worker = 0; worker < workers; worker++) {
        double delay = delays[step][worker];
        double each = partitionTimes[step][worker];
        double done =
            Math.min(policy.partitions(), Math.max(1, Math.ceil((candidate - delay) / each)));
        partitions += done;
        end = Math.max(end, delay + done * each);
      }
      progress +=
          noise == Double.POSITIVE_INFINITY ? partitions : partitions / (partitions + noise);
      seconds += end + overheads[step];
    }
    return progress / seconds;
  }
}
