package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.LocalIterations;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/**
 * ESync's state server. It knows each worker's progress and the duration of its iterations, and
 * sends each worker the number of iterations after which to push, so that all end with the slowest
 * worker's first iteration. It never sees parameters, and no worker waits for it: workers report
 * after each iteration and continue. A number holds until the server sends another.
 *
 * <p>Worker r, having done k iterations at {@code now}, is to push after {@code k + ⌊(rest −
 * ε)/c_r⌋}, where {@code rest = c_s − (now − start)} is what is left of the slowest worker s'
 * iteration: as many as ESync's rule, push when {@code c_r + ε > rest}, lets it do one by one. When
 * the slowest has pushed, the others are to push at once. Times are taken from this clock alone;
 * workers report durations, which are smoothed exponentially. What a first report took beyond the
 * iteration is its round trip, which counts to the slowest's time.
 *
 * <p>Li, Zhou, et al.: "ESync: Accelerating Intra-Domain Federated Learning in Heterogeneous Data
 * Centers", IEEE Transactions on Services Computing, 2020.
 */
public final class StateServer implements Checkpointed {
  private final Communicator communicator;
  private final Clock clock;
  private final Margin margin;
  private final double smoothing;
  private final double[] computeTime;
  private final double[] roundTrip;
  private final long[] known; // 1 for a worker that has reported
  private final boolean[] pushed;
  private final int[] done;
  private final int[] assigned;
  private final Message assignment = new Message();
  private long step;
  private long start;

  /**
   * How much earlier than the slowest a worker is to end, ε.
   *
   * @param iterations in iterations of that worker
   * @param seconds added to that
   */
  public record Margin(double iterations, double seconds) {}

  /**
   * @param smoothing weight of a new duration against those before it, above 0, up to 1
   */
  public StateServer(Communicator communicator, Clock clock, Margin margin, double smoothing) {
    this.communicator = communicator;
    this.clock = clock;
    this.margin = margin;
    this.smoothing = smoothing;
    int ranks = communicator.size();
    computeTime = new double[ranks];
    roundTrip = new double[ranks];
    known = new long[ranks];
    pushed = new boolean[ranks];
    done = new int[ranks];
    assigned = new int[ranks];
  }

  /**
   * Assigns iterations for a step, whose parameters are about to be sent.
   *
   * @param single whether everyone does one
   */
  public void begin(long step, boolean single) {
    this.step = step;
    start = clock.now();
    Arrays.fill(pushed, false);
    Arrays.fill(done, 0);
    Arrays.fill(assigned, 0);
    int slowest = slowest();
    for (int rank = 1; rank < done.length; rank++) {
      double rest = computeTime[slowest] + roundTrip[slowest] - roundTrip[rank];
      assign(rank, single ? 1 : Math.max(1, iterations(rank, slowest, rest)));
    }
  }

  /** Takes note of a worker's {@link LocalIterations}. */
  public void reported(Message message) {
    if (message.kind() != Message.Kind.QUERY) {
      throw new MalformedMessageException(
          message.source(), "expected a result or a report of iterations, found " + message.kind());
    }
    int rank = message.source();
    double elapsed = Clock.seconds(start, clock.now());
    done[rank] = message.asIterations().count();
    learn(rank, message.asIterations().computeTime(), elapsed);
    int slowest = slowest();
    double rest = computeTime[slowest] + roundTrip[slowest] - elapsed;
    if (done[rank] < assigned[rank]) {
      assign(rank, done[rank] + (pushed[slowest] ? 0 : iterations(rank, slowest, rest)));
    }
  }

  /** Takes note that a worker has pushed. If it is the slowest, the others push at once. */
  public void pushed(int worker) {
    pushed[worker] = true;
    if (worker == slowest()) {
      for (int rank = 1; rank < done.length; rank++) {
        assign(rank, Math.max(1, done[rank]));
      }
    }
  }

  private void learn(int rank, double seconds, double elapsed) {
    double weight = known[rank] == 1 ? smoothing : 1;
    computeTime[rank] += weight * (seconds - computeTime[rank]);
    if (done[rank] == 1) {
      roundTrip[rank] += weight * (Math.max(0, elapsed - seconds) - roundTrip[rank]);
    }
    known[rank] = 1;
  }

  /** How many iterations a worker can do in {@code rest} seconds; the slowest does no second. */
  private int iterations(int rank, int slowest, double rest) {
    boolean allKnown = Arrays.stream(known).sum() == known.length - 1;
    if (!allKnown || rank == slowest) {
      return 0;
    }
    double time = rest - margin.iterations() * computeTime[rank] - margin.seconds();
    return (int) Math.max(0, Math.floor(time / computeTime[rank]));
  }

  private void assign(int rank, int iterations) {
    if (pushed[rank] || assigned[rank] == iterations) {
      return;
    }
    assigned[rank] = iterations;
    assignment.reset(Message.Kind.ASSIGNMENT, step);
    assignment.asIterations().set(iterations, 0);
    communicator.send(rank, assignment, Clock.NEVER);
  }

  @Override
  public void visit(StateVisitor state) {
    state.doubles("compute-time", computeTime);
    state.doubles("round-trip", roundTrip);
    state.integers("known", known);
  }

  private int slowest() {
    int slowest = 1;
    for (int rank = 2; rank < computeTime.length; rank++) {
      slowest = computeTime[rank] > computeTime[slowest] ? rank : slowest;
    }
    return slowest;
  }
}
