package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Frame;
import java.util.Arrays;

/**
 * ESync's state server: knows how far each worker is and how long its iterations take, and tells
 * workers how many more they can do before the slowest one has done its own. It never sees
 * parameters.
 *
 * <p>Worker r, having finished an iteration at {@code now}, may do {@code ⌊(rest − ε)/c_r⌋} more,
 * where {@code rest = c_s − (now − te_s)} is what is left of the slowest worker s' iteration: as
 * many as ESync's rule, push when {@code c_r + ε > rest}, lets it do one by one. Times are taken
 * from this clock alone; workers report durations, which are smoothed exponentially.
 *
 * <p>Li, Zhou, et al.: "ESync: Accelerating Intra-Domain Federated Learning in Heterogeneous Data
 * Centers", IEEE Transactions on Services Computing, 2020.
 */
final class StateServer {
  /** Index of the mean seconds of the iterations since the last query. */
  static final int COMPUTE_TIME = 0;

  /** Index, in an answer, of the iterations to do before asking again. */
  static final int ITERATIONS = 0;

  private final double epsilon;
  private final double epsilonSeconds;
  private final double smoothing;
  private final double[] computeTime;
  private final boolean[] known;
  private final boolean[] reported;
  private final Frame answer = new Frame();
  private long start;
  private int unknown;

  /**
   * @param epsilon ε as a share of the asking worker's iteration
   * @param epsilonSeconds seconds to add to that
   * @param smoothing weight of a new duration against those before it, above 0, up to 1
   */
  StateServer(int workers, double epsilon, double epsilonSeconds, double smoothing) {
    this.epsilon = epsilon;
    this.epsilonSeconds = epsilonSeconds;
    this.smoothing = smoothing;
    computeTime = new double[workers + 1];
    known = new boolean[workers + 1];
    reported = new boolean[workers + 1];
    unknown = workers;
  }

  /** Every worker starts its first iteration of a round now. */
  void begin(long now) {
    start = now;
    Arrays.fill(reported, false);
  }

  /** The answer to a worker's query; valid until the next one. */
  Frame answer(Frame query, long now) {
    int rank = query.source();
    learn(rank, query.stat(COMPUTE_TIME));
    reported[rank] = true;
    answer.reset(Frame.Kind.ASSIGNMENT, query.step());
    answer.stat(ITERATIONS, iterations(rank, now));
    return answer;
  }

  private void learn(int rank, double seconds) {
    if (known[rank]) {
      computeTime[rank] += smoothing * (seconds - computeTime[rank]);
    } else {
      computeTime[rank] = seconds;
      known[rank] = true;
      unknown--;
    }
  }

  private double iterations(int rank, long now) {
    if (unknown > 0) {
      return 1;
    }
    int slowest = slowest();
    if (rank == slowest || reported[slowest]) {
      return 0;
    }
    double rest = computeTime[slowest] - Clock.seconds(start, now);
    double margin = epsilon * computeTime[rank] + epsilonSeconds;
    return Math.max(0, Math.floor((rest - margin) / computeTime[rank]));
  }

  private int slowest() {
    int slowest = 1;
    for (int rank = 2; rank < computeTime.length; rank++) {
      slowest = computeTime[rank] > computeTime[slowest] ? rank : slowest;
    }
    return slowest;
  }
}
