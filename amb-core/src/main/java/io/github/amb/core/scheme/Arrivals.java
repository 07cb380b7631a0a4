package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/**
 * FedCompass's groups: who is expected when, in nanoseconds. Workers of one group have the same
 * times; {@link Clock#NEVER} is that of the first group, whose speeds are unknown.
 */
final class Arrivals implements Checkpointed {
  private static final double SMOOTHING = 0.5;

  private final Master master;
  private final int min;
  private final int max;
  private final double lateness;
  private final int after;
  private final Clock clock;
  private final Message assignment = new Message();
  private final double[] speeds; // nanoseconds per local step; 0 if unknown
  private final long[] expected; // 0 if idle or late
  private final long[] latest;
  private final long[] started; // 0 if idle

  /**
   * @param min fewest local steps of a worker
   * @param max most local steps of a worker
   * @param lateness how long a group is waited for, times the expected time
   * @param after updates at first, with one step of each worker
   */
  Arrivals(Master master, int min, int max, double lateness, int after) {
    this.master = master;
    this.min = min;
    this.max = max;
    this.lateness = lateness;
    this.after = after;
    clock = master.context().clock();
    int ranks = master.workers() + 1;
    speeds = new double[ranks];
    expected = new long[ranks];
    latest = new long[ranks];
    started = new long[ranks];
  }

  @Override
  public void visit(StateVisitor state) {
    state.doubles("speeds", speeds);
    state.integers("expected", expected);
    state.integers("latest", latest);
    state.integers("started", started);
  }

  /** Sends a worker that is idle its number of steps, and parameters. */
  void assign(int rank) {
    if (started[rank] > 0) {
      return;
    }
    long now = clock.now();
    int steps = join(rank, now);
    if (steps == 0) {
      steps = open(rank, now);
    }
    started[rank] = Math.max(1, now);
    assignment.reset(Message.Kind.ASSIGNMENT, master.step()).asIterations().set(steps, 0);
    master.communicator().send(rank, assignment, Clock.NEVER);
    master.broadcast(other -> other == rank);
  }

  private int fit(int rank, long until, long now) {
    double most = (until - now) / speeds[rank];
    return (int) Math.min(Integer.MAX_VALUE, Math.floor(most + 1e-6)); // Times are rounded.
  }

  /** Joins the group that lets the worker do most steps; returns 0 if there is none. */
  private int join(int rank, long now) {
    int best = 0;
    for (int other = 1; other < expected.length && speeds[rank] > 0; other++) {
      int steps = expected[other] < Clock.NEVER ? fit(rank, expected[other], now) : 0;
      if (steps > best && steps >= min && steps <= max) {
        best = steps;
        expected[rank] = expected[other];
        latest[rank] = latest[other];
      }
    }
    return best;
  }

  private int open(int rank, long now) {
    boolean more = master.step() > after;
    if (speeds[rank] == 0 || !more) {
      expected[rank] = Clock.NEVER;
      latest[rank] = Clock.NEVER;
      return more ? min : 1;
    }
    int best = 0;
    double fastest = Arrays.stream(speeds).filter(speed -> speed > 0).min().getAsDouble();
    for (int other = 1; other < expected.length; other++) {
      if (expected[other] > now && expected[other] < Clock.NEVER) {
        int steps = fit(rank, expected[other] + (long) (max * fastest), now);
        best = steps <= max ? Math.max(best, steps) : best;
      }
    }
    int steps = best < min ? max : best;
    expected[rank] = now + (long) (steps * speeds[rank]);
    latest[rank] = now + (long) (lateness * steps * speeds[rank]);
    return steps;
  }

  /** When the next group is waited for no longer. */
  long deadline() {
    long next = Clock.NEVER;
    for (int rank = 1; rank < latest.length; rank++) {
      next = expected[rank] > 0 ? Math.min(next, latest[rank]) : next;
    }
    return next;
  }

  /** Learns of a result. Returns whether its group is complete; one that is late continues. */
  boolean arrived(Result change) {
    int rank = change.source();
    double seconds = (double) (clock.now() - started[rank]) / Math.max(1, change.localSteps());
    speeds[rank] += (speeds[rank] == 0 ? 1 : SMOOTHING) * (seconds - speeds[rank]);
    long group = expected[rank];
    started[rank] = 0;
    expected[rank] = 0;
    if (group == 0) {
      assign(rank);
      return false;
    }
    return Arrays.stream(expected).noneMatch(other -> other == group);
  }

  /** Whether a group's latest time is over; those of it that have not come are late. */
  boolean expired() {
    boolean any = false;
    for (int rank = 1; rank < latest.length; rank++) {
      if (expected[rank] > 0 && latest[rank] <= clock.now()) {
        expected[rank] = 0;
        any = true;
      }
    }
    return any;
  }
}
