package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import io.github.amb.runtime.host.CoreShare;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides, from the events of all ranks, which ranks train on and how the run ends. A function:
 * state and event in, state and actions out. It knows neither processes nor clocks.
 */
final class Supervision extends Generations {
  /** Maximum number of rejected connections that one line names. */
  private static final int MAX_NAMED = 4;

  /** Nanoseconds between the failure of a replacement and the start of the next one. */
  private static final long RESPAWN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * If two looks at heartbeats are further apart than this, in nanoseconds, it was the launcher
   * that did not run.
   */
  private static final long OWN_PAUSE = TimeUnit.SECONDS.toNanos(3);

  /**
   * What follows from an event.
   *
   * @param state the state after it
   * @param actions what to do, in order
   */
  record Decision(RunState state, List<Action> actions) {}

  private Supervision(LaunchPlan plan, Timeouts timeouts, RunState state, long now) {
    super(plan, timeouts, state, now);
  }

  /** The state of a run whose ranks start now. */
  static Decision begin(LaunchPlan plan, Timeouts timeouts, long now) {
    RunState first =
        RunState.starting(plan.ranks(), plan.placement(), timeouts.connect().toNanos(), now);
    Supervision turn = new Supervision(plan, timeouts, first, now);
    turn.showStart();
    return new Decision(first, List.copyOf(turn.actions));
  }

  /**
   * Decides.
   *
   * @param plan what runs
   * @param timeouts limits
   * @param before the state before; not modified
   * @param now on the system's clock, in nanoseconds; not before that of the event before
   * @param event what has happened
   */
  static Decision decide(
      LaunchPlan plan, Timeouts timeouts, RunState before, long now, Event event) {
    Supervision turn = new Supervision(plan, timeouts, before.copy(), now);
    if (!before.over) {
      turn.handle(event);
    }
    return new Decision(turn.state, List.copyOf(turn.actions));
  }

  private void handle(Event event) {
    KnownRank rank = event.rank() == null ? null : state.find(event.rank());
    if (event instanceof Event.Tick) {
      tick();
    } else if (event instanceof Event.Ended) {
      state.running.remove(event.rank());
    } else if (event instanceof Event.Hosts hosts) {
      hosts(hosts);
    }
    if (rank != null) {
      handle(rank, event);
    }
    if (state.hasMasterEnded()) {
      dismiss(each -> each.outside);
    }
    if (state.running.isEmpty() && !state.over) {
      finish(state.cause == null ? new RunOutcome(0, "") : state.cause.verdict(now, false, false));
    }
  }

  private void handle(KnownRank rank, Event event) {
    if (event instanceof Event.Beat beat) {
      rank.hear(now, beat.waiting());
    } else if (event instanceof Event.Said said) {
      rank.heard = now;
      reported(rank, said.report());
    } else if (event instanceof Event.Died) {
      rank.alive = false;
    } else if (event instanceof Event.Ended ended) {
      ended(rank, ended.end());
    } else if (event instanceof Event.Unstartable failed) {
      unstartable(rank, failed.why());
    }
  }

  /** Handles what follows from the passing of time. */
  private void tick() {
    state.alive().forEach(this::endUseless);
    if (state.cause != null) {
      verdict();
    } else if (state.hasMasterEnded()) {
      afterMaster();
    } else {
      checkHeartbeats();
      respawn();
      meeting();
    }
  }

  /** Kills a rank that reported a failure and does not exit, or a late replacement. */
  private void endUseless(KnownRank rank) {
    if (rank.failure != null && passed(rank.failed, timeouts.afterReport()) && !rank.stuck) {
      rank.stuck = true;
      actions.add(new Action.Kill(rank.id));
    }
    if (state.isStandby(rank) && passed(rank.started, plan.startLimit())) {
      long seconds = plan.startLimit().toSeconds();
      kill(rank, "not ready to join within " + seconds + " s (--start-limit)");
    }
  }

  private void afterMaster() {
    if (passed(state.masterEnded, timeouts.afterMaster())) {
      List<Integer> left = state.running.stream().map(RankId::rank).toList();
      String cause =
          "killed %s, still running %.1f s after the master had finished"
              .formatted(ranks(left), seconds(timeouts.afterMaster()));
      finish(new RunOutcome(0, cause));
    }
  }

  /**
   * A slow rank sends heartbeats. A stopped process does not: it is shown first, and killed after
   * {@code --stall-after}.
   */
  private void checkHeartbeats() {
    boolean paused = now - state.looked > OWN_PAUSE;
    state.looked = now;
    for (KnownRank rank : state.alive()) {
      if (paused) {
        rank.heard = now;
      } else {
        checkHeartbeat(rank);
      }
    }
  }

  private void checkHeartbeat(KnownRank rank) {
    double limit = seconds(plan.survival().stallAfter());
    boolean silent = rank.silence(now) > plan.survival().deadAfter().toNanos();
    if (rank.silence(now) > plan.survival().stallAfter().toNanos()) {
      kill(rank, "no heartbeat for " + limit + " s (--stall-after)");
    } else if (silent != rank.silent) {
      rank.silent = silent;
      warn(
          silent
              ? "rank %d sent no heartbeat for %.1f s; it will be killed after %.1f s (--stall-after)"
                  .formatted(rank.rank(), seconds(plan.survival().deadAfter()), limit)
              : "rank " + rank.rank() + " is back: it sends heartbeats again");
    }
  }

  private void reported(KnownRank rank, RankReport report) {
    if (report instanceof RankReport.Training) {
      state.stage = state.stage.advance(RunStage.TRAINING);
    } else if (report instanceof RankReport.Over) {
      over(false);
    } else if (report instanceof RankReport.Ready) {
      join(rank);
    } else if (report instanceof RankReport.Progress progress) {
      actions.add(new Action.Show(progress));
    } else if (report instanceof RankReport.Malformed malformed) {
      malformed(malformed);
    } else if (report instanceof RankReport.Failed failure) {
      rank.failure = failure;
      rank.failed = now;
    } else if (report instanceof RankReport.Finished) {
      rank.finished = true;
    } else if (report instanceof RankReport.Leaving leaving) {
      leaving(rank, leaving);
    } else if (report instanceof RankReport.Rejected peers && peers.formed()) {
      name(peers.addresses().stream().map(from -> from + " to rank " + rank.rank()).toList());
    } else if (state.members.containsValue(rank)) {
      ofGeneration(rank, report);
    }
  }

  /** Kills the sender of a malformed message: its other messages may be wrong, too. */
  private void malformed(RankReport.Malformed malformed) {
    KnownRank sender = state.members.get(malformed.rank());
    if (malformed.generation() != state.generation || sender == null) {
      return;
    }
    String what = "malformed message: " + malformed.reason();
    if (state.isTraining()) {
      kill(sender, what);
    } else {
      end(new Action.FinishFaulty(sender, "sent a " + what));
    }
  }

  private void name(List<String> rejected) {
    if (!rejected.isEmpty()) {
      int more = rejected.size() - MAX_NAMED;
      warn(
          "rejected connections to ranks that were not authenticated: "
              + rejected.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
              + (more > 0 ? ", and " + more + " more" : ""));
    }
  }

  /** Lets a worker leave after its step, or end at once if the run could not continue then. */
  private void leaving(KnownRank rank, RankReport.Leaving report) {
    if (state.stage.has(RunStage.OVER) || rank.leaving || !rank.alive) {
      return;
    }
    KnownRank master = state.members.get(Communicator.MASTER);
    rank.leaving =
        state.isTraining()
            && state.cause == null
            && master.alive
            && state.members.get(rank.rank()) == rank
            && report.generation() == state.generation
            && state.standing() > Math.max(1, plan.survival().minWorkers());
    if (rank.leaving) {
      warn("rank " + rank.rank() + " was asked to end, and leaves after its step");
      Order release = new Order.Release(state.generation, rank.rank(), report.results());
      actions.add(new Action.Tell(master.id, release));
    } else {
      actions.add(new Action.Tell(rank.id, new Order.Exit()));
    }
  }

  private void ended(KnownRank rank, RankEnd end) {
    rank.alive = false;
    boolean early = rank.rank() > 0 && !state.hasMasterEnded() && !rank.finished;
    boolean met = state.missing().isEmpty();
    boolean joined = state.members.remove(rank.rank(), rank);
    state.standby.remove(rank.rank(), rank);
    if (state.left.remove(rank.rank(), rank)) {
      readHosts();
      return;
    }
    if (end.exitCode() != 0 || early) {
      lost(rank, RankFailure.of(rank, end), joined);
    } else if (rank.rank() == Communicator.MASTER) {
      state.stage = state.stage.advance(RunStage.MASTER_ENDED);
      state.masterEnded = now;
    } else if (!state.hasMasterEnded()) {
      over(!met); // A worker has finished; ranks must not wait for it.
    }
  }

  /** Handles a rank failure. */
  private void lost(KnownRank rank, RankFailure failure, boolean joined) {
    if (!joined) {
      warn(failure.cause() + "; this replacement failed to start");
      state.vacant.put(rank.rank(), now + RESPAWN_PAUSE_NANOS);
      readHosts();
      return;
    }
    int workers = state.standing();
    RunOutcome end = failure.end(state.stage, plan.survival(), workers);
    if (state.cause != null || end != null) {
      FailureCause cause = state.cause == null ? new FailureCause(timeouts, now) : state.cause;
      state.cause = cause.with(failure, end);
      verdict();
      return;
    }
    warn(
        "%s; removed from the run, continuing with %s"
            .formatted(failure.cause(), CoreShare.workers(workers)));
    form(failure.cause());
    state.vacant.put(rank.rank(), now);
    readHosts();
    respawn();
  }

  private void verdict() {
    boolean left = state.members.values().stream().anyMatch(rank -> !rank.finished);
    boolean failing =
        state.members.values().stream()
            .anyMatch(rank -> rank.alive && rank.failure != null && rank.failure.own());
    RunOutcome outcome = state.cause.verdict(now, left, failing);
    if (outcome != null) {
      finish(outcome);
    }
  }

  /**
   * Ends replacements that have not joined, as no step follows.
   *
   * @param changed whether the ranks form a new generation in any case
   */
  private void over(boolean changed) {
    state.stage = state.stage.advance(RunStage.OVER);
    if (dismiss(rank -> rank.id.number() > 0 && rank.outside) || changed) {
      form("");
    }
  }

  /** Ends ranks that nobody waits for; returns whether one of them was a member. */
  private boolean dismiss(Predicate<KnownRank> unneeded) {
    boolean member = false;
    for (KnownRank rank : state.alive()) {
      boolean useless = state.isStandby(rank) || unneeded.test(rank);
      if (rank.rank() > 0 && !rank.finished && !rank.leaving && useless) {
        member |= state.members.remove(rank.rank(), rank);
        state.standby.remove(rank.rank(), rank);
        warn("ended rank " + rank.rank() + ", which had not joined when training was complete");
        actions.add(new Action.Kill(rank.id));
      }
    }
    return member;
  }

  /** Replaces lost ranks, and replacements that have failed, as often as is allowed. */
  private void respawn() {
    for (int rank : List.copyOf(state.vacant.keySet())) {
      if (state.vacant.get(rank) <= now && state.reading == 0) {
        state.vacant.remove(rank);
        respawn(rank);
      }
    }
  }

  private void respawn(int rank) {
    int most = plan.survival().respawns();
    if (state.replacements < most && !state.stage.has(RunStage.OVER)) {
      state.replacements++;
      warn(
          "starting a replacement for rank %d (%d of %d, --respawn)"
              .formatted(rank, state.replacements, most));
      start(rank);
    }
  }

  private void start(int rank) {
    RankId id = new RankId(rank, state.replacements + state.placed);
    state.standby.put(rank, new KnownRank(id, now));
    state.running.add(id);
    actions.add(new Action.Start(id, state.placement));
  }

  private void readHosts() {
    if (state.placement.listed() != null) {
      state.reading++;
      actions.add(new Action.ReadHosts());
    }
  }

  private void hosts(Event.Hosts event) {
    state.reading -= event.asked() ? 0 : 1;
    if (!event.places().isEmpty() && state.isTraining() && !state.stage.has(RunStage.OVER)) {
      place(new ArrayList<>(event.places()), event.asked());
    }
    respawn();
  }

  /**
   * Lets workers leave places that are no longer listed, and starts those that have none on free
   * ones.
   *
   * @param free all that are listed; modified
   * @param again whether a place that has lost its worker is free
   */
  private void place(List<RankPlacement.Place> free, boolean again) {
    List<Integer> idle = new ArrayList<>();
    int stay = state.standing();
    for (int rank = 1; rank < plan.ranks(); rank++) {
      KnownRank holder = state.holder(rank);
      if (holder == null) {
        idle.add(rank);
      } else if (!free.remove(state.placement.places().get(rank)) && !holder.leaving) {
        if (state.isStandby(holder)) {
          kill(holder, "its place is not in --hosts any more");
        } else if (holder.alive && --stay >= Math.max(1, plan.survival().minWorkers())) {
          actions.add(new Action.Tell(holder.id, new Order.Leave()));
        }
      }
    }
    state.spent.removeIf(place -> again || !free.remove(place));
    for (int rank : idle) {
      if (again || !free.remove(state.placement.places().get(rank))) {
        state.vacant.remove(rank);
      }
    }
    for (int rank : idle.subList(0, Math.min(idle.size(), free.size()))) {
      state.vacant.remove(rank);
      if (!again) {
        state.spent.add(state.placement.places().get(rank));
      }
      state.placement = state.placement.with(rank, free.remove(0));
      state.placed++;
      warn("starting rank %d on %s (--hosts)".formatted(rank, state.placement.host(rank)));
      start(rank);
    }
  }

  private void unstartable(KnownRank rank, String why) {
    state.running.remove(rank.id);
    state.standby.remove(rank.rank(), rank);
    warn("the replacement for rank %d cannot start: %s".formatted(rank.rank(), why));
    state.vacant.put(rank.rank(), now + RESPAWN_PAUSE_NANOS);
    readHosts();
  }

  private void join(KnownRank rank) {
    if (state.standby.remove(rank.rank(), rank)) {
      rank.outside = true;
      state.members.put(rank.rank(), rank);
      warn("rank " + rank.rank() + " joins; continuing with " + workers());
      form("rank " + rank.rank() + " joins");
    }
  }
}
