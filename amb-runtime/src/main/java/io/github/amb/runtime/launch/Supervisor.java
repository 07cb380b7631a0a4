package io.github.amb.runtime.launch;

import io.github.amb.core.file.FileFailure;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.console.Progress;
import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.control.RankReport;
import io.github.amb.runtime.control.RejectedConnections;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Collects the events of all ranks, and carries out what {@link Supervision} decides. */
final class Supervisor {
  /** Nanoseconds between two ticks. */
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

  private final LaunchPlan plan;
  private final Timeouts timeouts;
  private final RankProcesses processes;
  private final RankCommand command;
  private final ControlServer control;
  private final RejectedConnections rejected;
  private final OutOfMemoryKills memory = OutOfMemoryKills.here();
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Map<RankId, RankProcess> started = new HashMap<>();
  private RunState state;
  private RunOutcome outcome;

  Supervisor(
      LaunchPlan plan,
      Timeouts timeouts,
      RankProcesses processes,
      RankCommand command,
      ControlServer control,
      RejectedConnections rejected) {
    this.plan = plan;
    this.timeouts = timeouts;
    this.processes = processes;
    this.command = command;
    this.control = control;
    this.rejected = rejected;
  }

  /** Starts the ranks of the first generation. */
  void startAll() throws IOException {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      start(new RankId(rank, 0), plan.placement());
    }
    if (plan.placement().listed() != null) {
      HangUp.handle(() -> readHosts(true));
    }
    carryOut(Supervision.begin(plan, timeouts, System.nanoTime()));
  }

  private void start(RankId id, RankPlacement placement) throws IOException {
    RankProcess process =
        new RankProcess(
            id,
            command.of(id, placement),
            control,
            plan.logDirectory(),
            id.rank() == 0 ? plan.masterOutput() : line -> {},
            events::add,
            plan.view()::warn);
    started.put(id, process);
    processes.add(process);
  }

  /** Waits for the end of the run, or the first failure that it does not survive. */
  RunOutcome await() throws InterruptedException {
    long next = System.nanoTime();
    while (outcome == null) {
      // Events may come without a pause: a tick does not wait for one.
      Event first = events.poll(Math.max(0, next - System.nanoTime()), TimeUnit.NANOSECONDS);
      List<Event> batch = new ArrayList<>(first == null ? List.of() : List.of(first));
      events.drainTo(batch);
      memory.watch();
      batch.forEach(this::handle);
      batch.forEach(this::judge);
      if (System.nanoTime() >= next) {
        handle(new Event.Tick());
        next = System.nanoTime() + TICK;
      }
      if (outcome == null && control.failure() != null) {
        return new RunOutcome(1, "the launcher's control server failed: " + control.failure());
      }
    }
    return outcome;
  }

  private void handle(Event event) {
    boolean leaves =
        event instanceof Event.Said said && said.report() instanceof RankReport.Leaving;
    if (leaves && processes.isEnding()) {
      return; // The signal was one to all.
    }
    carryOut(Supervision.decide(plan, timeouts, state, System.nanoTime(), event));
  }

  /** Judges the end of a process when it is known which others have ended at the same time. */
  private void judge(Event event) {
    if (event instanceof Event.Died died && outcome == null) {
      if (processes.isEnding()) {
        outcome = new RunOutcome(ExitCode.STOPPED, RunOutcome.INTERRUPTED);
      } else {
        handle(new Event.Ended(died.rank(), started.get(died.rank()).end(memory)));
      }
    }
  }

  private void carryOut(Supervision.Decision decision) {
    state = decision.state();
    decision.actions().forEach(this::carryOut);
  }

  private void carryOut(Action action) {
    if (action instanceof Action.Start start) {
      replace(start.rank(), start.placement());
    } else if (action instanceof Action.ReadHosts) {
      Daemon.start("hosts", () -> readHosts(false));
    } else if (action instanceof Action.Kill kill) {
      started.get(kill.rank()).kill();
    } else if (action instanceof Action.Tell tell) {
      started.get(tell.rank()).tell(tell.order());
    } else if (action instanceof Action.Warn warn) {
      plan.view().warn(warn.line());
    } else if (action instanceof Action.ShowStart start) {
      plan.view().stage("starting ranks", start.met(), start.all());
    } else if (action instanceof Action.Show show) {
      show(show.report().line());
    } else if (action instanceof Action.Finish finish) {
      outcome = finish.outcome();
    } else if (action instanceof Action.FinishFaulty faulty) {
      outcome = new RunOutcome(1, describe(faulty.rank(), faulty.event()));
    } else if (action instanceof Action.FinishLate late) {
      outcome = new RunOutcome(1, late(late));
    }
  }

  /** One at a time, as a host is asked once. */
  private void readHosts(boolean asked) {
    List<RankPlacement.Place> places = List.of();
    try {
      synchronized (events) {
        places = plan.placement().listed().read(plan.view()::warn);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      plan.view().warn("the hosts stay as they are: " + e.getMessage());
    }
    events.add(new Event.Hosts(places, asked));
  }

  private void replace(RankId id, RankPlacement placement) {
    try {
      start(id, placement);
    } catch (IOException e) {
      handle(new Event.Unstartable(id, FileFailure.text(e)));
    }
  }

  /** What cannot be read is not shown. */
  private void show(String line) {
    Progress progress = Progress.fromJson(line);
    if (progress != null) {
      plan.view().progress(progress);
    }
  }

  private String late(Action.FinishLate late) {
    String others = rejected.describe();
    return "%s did not join within %d s; %s; see its log, or raise --start-limit%s"
        .formatted(
            Generations.ranks(late.missing().stream().map(KnownRank::rank).toList()),
            late.seconds(),
            describe(late.missing().get(0), "is running"),
            others.isEmpty() ? "" : "; " + others);
  }

  private String describe(KnownRank rank, String event) {
    RankProcess process = started.get(rank.id);
    return RankFailure.describe(process.name(), event, rank.said(process.lastLine()));
  }
}
