package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import io.github.amb.runtime.host.CoreShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The part of {@link Supervision} that forms generations: which ranks are in one, whether they
 * listen and connect in time, and when it ends.
 */
abstract class Generations {
  final LaunchPlan plan;
  final Timeouts timeouts;
  final RunState state;
  final long now;
  final List<Action> actions = new ArrayList<>();

  Generations(LaunchPlan plan, Timeouts timeouts, RunState state, long now) {
    this.plan = plan;
    this.timeouts = timeouts;
    this.state = state;
    this.now = now;
  }

  final void showStart() {
    if (!state.isTraining()) {
      int all = state.members.size();
      actions.add(new Action.ShowStart(all - state.missing().size(), all));
    }
  }

  /** Checks that the ranks of the newest generation listen and connect in time. */
  final void meeting() {
    long left = plan.startLimit().toNanos() - (now - state.formed);
    long unconnected = state.isConnecting() ? now - state.met : 0;
    if (left < 0 && !state.missing().isEmpty()) {
      late();
      return;
    }
    if (left < 0 && unconnected > 0) {
      finish(new RunOutcome(1, unconnected()));
      return;
    }
    if (left > timeouts.connect().toNanos() && unconnected > state.patience) {
      connectAgain();
    }
    endIfNothingMoves();
    KnownRank master = state.members.get(Communicator.MASTER);
    if (state.lost != RunState.NEVER
        && passed(state.lost, plan.survival().deadAfter())
        && master.alive) {
      warn("connections between ranks broke, but no rank ended: re-establishing connections");
      state.reconnecting = true;
      endGeneration(state.generation, "connections between ranks broke");
      form("");
    }
  }

  /** Ends a generation whose ranks all wait for each other, as they would wait for ever. */
  private void endIfNothingMoves() {
    Duration limit = plan.survival().stallAfter();
    if (state.isTraining()
        && state.missing().isEmpty()
        && state.generation > state.ended
        && state.members.values().stream().allMatch(rank -> rank.waited(now) > limit.toNanos())) {
      warn(
          "no progress for %.1f s, as all ranks wait for each other: re-establishing connections"
              .formatted(seconds(limit)));
      reconnect("no progress, as all ranks waited for each other");
    }
  }

  /** A rank that still computes in an earlier generation is not late: it looks at orders later. */
  private void late() {
    List<KnownRank> missing =
        state.missing().stream().filter(rank -> !state.isTraining() || rank.outside).toList();
    if (missing.isEmpty()) {
      return;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(now - state.formed);
    KnownRank first = missing.get(0);
    if (!state.isTraining() || first.rank() == Communicator.MASTER) {
      end(new Action.FinishLate(missing, seconds));
    } else {
      kill(first, "did not join within " + seconds + " s");
    }
  }

  /** Orders new connections, as MPJ Express waits for ever for one that fails. */
  private void connectAgain() {
    warn(unconnected() + "; re-establishing connections");
    state.patience *= 2;
    reconnect("not all ranks connected");
    state.lost = RunState.NEVER;
    formAgain();
  }

  /** Ends the newest generation; the record of the next one has the reason. */
  private void reconnect(String reason) {
    state.reconnecting = true;
    if (!state.reasons.contains(reason)) {
      state.reasons.add(reason);
    }
    endGeneration(state.generation, reason);
  }

  private String unconnected() {
    return "%s listened, but did not connect to the other ranks within %s s; check the firewalls between them"
        .formatted(ranks(state.connecting()), TimeUnit.NANOSECONDS.toSeconds(now - state.met));
  }

  /** Ends a generation and those before it, once. */
  private void endGeneration(int number, String reason) {
    if (number > state.ended) {
      state.ended = number;
      tell(id -> new Order.End(number, reason));
    }
  }

  final void ofGeneration(KnownRank rank, RankReport report) {
    if (report instanceof RankReport.Connecting connecting) {
      outside(rank);
      if (connecting.generation() == state.generation) {
        rank.connecting = state.generation;
      }
    } else if (report instanceof RankReport.Listening listening) {
      listening(rank, listening);
    } else if (report instanceof RankReport.Connected connected) {
      connected(rank, connected.generation());
    } else if (report instanceof RankReport.Lost lost) {
      outside(rank);
      noteLoss(lost.generation());
    }
  }

  /** Until it leaves, a rank may compute for long: a generation then gets its time once more. */
  private void outside(KnownRank rank) {
    rank.outside = true;
    if (state.isTraining() && !rank.free) {
      rank.free = true;
      state.formed = now;
    }
  }

  /** When all ranks have reported where they listen, each receives the table of all. */
  private void listening(KnownRank rank, RankReport.Listening report) {
    if (report.generation() != state.generation || rank.listens(state.generation)) {
      return;
    }
    rank.listening = report;
    showStart();
    if (state.missing().isEmpty()) {
      state.met = now;
      List<Order.Place> places = state.members.values().stream().map(this::place).toList();
      tell(id -> new Order.Table(state.generation, places));
    }
  }

  private Order.Place place(KnownRank rank) {
    return new Order.Place(
        state.placement.address(rank.rank()).getHostAddress(),
        rank.listening.readPort(),
        rank.listening.writePort());
  }

  private void connected(KnownRank rank, int generation) {
    rank.outside = false;
    if (generation == state.generation) {
      rank.connecting = 0;
    }
    if (!state.connecting().isEmpty()) {
      return;
    }
    state.patience = timeouts.connect().toNanos();
    if (state.missing().isEmpty()) {
      state.reasons.clear();
      if (state.reconnecting) {
        state.reconnecting = false;
        warn("connections between ranks are re-established, with " + workers());
      }
    }
  }

  /** Takes those that were asked to end out of the next generation. */
  private void release() {
    for (KnownRank rank : List.copyOf(state.members.values())) {
      if (rank.leaving && rank.alive) {
        state.members.remove(rank.rank());
        state.left.put(rank.rank(), rank);
        state.reasons.add("rank " + rank.rank() + " left, as it was asked to end");
        warn("rank " + rank.rank() + " has left; continuing with " + workers());
        actions.add(new Action.Tell(rank.id, new Order.Exit()));
      }
    }
  }

  /**
   * Records that a rank has left a generation. A rank's exit may explain it, or the release of one
   * that was asked to end; otherwise the ranks connect again. If a newer one is ordered, the others
   * leave it, too: behind a cut link, nothing else reports its end.
   */
  private void noteLoss(int generation) {
    if (generation < state.generation) {
      endGeneration(generation, "a rank has left for generation " + state.generation);
    } else if (state.hasLeavers()) {
      form("");
    } else if (state.lost == RunState.NEVER) {
      state.lost = now;
    }
  }

  /**
   * Orders a new generation.
   *
   * @param reason which rank failed or joined; empty if none did
   */
  final void form(String reason) {
    state.lost = RunState.NEVER;
    state.formed = now;
    state.members.values().forEach(rank -> rank.free = false);
    if (!reason.isEmpty()) {
      state.reasons.add(reason);
    }
    formAgain();
  }

  /** Orders a new generation in place of the newest one, which did not form. */
  private void formAgain() {
    release();
    state.generation++;
    List<Integer> numbers =
        state.members.values().stream().filter(rank -> rank.alive).map(KnownRank::rank).toList();
    String why = String.join("; ", state.reasons);
    tell(id -> new Order.Form(state.generation, numbers.indexOf(id.rank()), numbers, why));
  }

  /** Sends all members an order each, unless the run is about to end. */
  private void tell(Function<RankId, Order> order) {
    for (KnownRank rank : state.members.values()) {
      if (rank.alive && state.cause == null && !state.hasMasterEnded()) {
        actions.add(new Action.Tell(rank.id, order.apply(rank.id)));
      }
    }
  }

  final void kill(KnownRank rank, String why) {
    if (rank.alive && rank.killed == null) {
      rank.killed = why;
      actions.add(new Action.Kill(rank.id));
    }
  }

  final void warn(String line) {
    actions.add(new Action.Warn(line));
  }

  final void finish(RunOutcome outcome) {
    end(new Action.Finish(outcome));
  }

  final void end(Action finish) {
    state.over = true;
    actions.add(finish);
  }

  final boolean passed(long since, Duration limit) {
    return now - since > limit.toNanos();
  }

  final String workers() {
    return CoreShare.workers(state.members.size() - 1);
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  /** "rank 1" or "ranks 1, 2". */
  static String ranks(Collection<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
