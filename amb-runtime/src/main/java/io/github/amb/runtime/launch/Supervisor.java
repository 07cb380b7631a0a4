package io.github.amb.runtime.launch;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Decides from what happens to the ranks, in the order it happens, how the run ends. */
final class Supervisor {
  /** How long workers may go on after the master has ended, in seconds. */
  private static final long AFTER_MASTER_SECONDS = 10;

  /** How long a rank that reported its failure may take to exit, in seconds. */
  private static final long AFTER_REPORT_SECONDS = 2;

  private static final int SIGNAL_BASE = 128;

  private final LaunchPlan plan;
  private final Crew crew;
  private final Rendezvous rendezvous;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private int running;
  private boolean masterEnded;

  /**
   * Something that happened.
   *
   * @param report what the rank reported, or null if its process has ended
   */
  private record Event(RankProcess rank, int number, RankReport report) {}

  Supervisor(LaunchPlan plan, Crew crew, Rendezvous rendezvous) {
    this.plan = plan;
    this.crew = crew;
    this.rendezvous = rendezvous;
  }

  /** Starts a rank and listens to it. */
  RankProcess start(int rank, ProcessBuilder command) throws IOException {
    RankProcess process =
        new RankProcess(
            rank,
            command,
            plan.logDirectory(),
            rank == 0 ? plan.masterOutput() : line -> {},
            report -> events.add(new Event(null, rank, report)));
    process.onExit(() -> events.add(new Event(process, rank, null)));
    running++;
    return process;
  }

  /** Waits for the end of the run or its first failure. */
  Outcome await() throws InterruptedException {
    long start = System.nanoTime();
    while (running > 0) {
      Event event = next(start);
      Outcome outcome = event == null ? timedOut(start) : handle(event);
      if (outcome != null) {
        return outcome;
      }
    }
    return new Outcome(0, "");
  }

  /** The next event, or null if the time for starting or for ending has passed. */
  private Event next(long start) throws InterruptedException {
    if (masterEnded) {
      return events.poll(AFTER_MASTER_SECONDS, TimeUnit.SECONDS);
    }
    while (!rendezvous.isComplete()) {
      long left = plan.startLimit().toNanos() - (System.nanoTime() - start);
      Event event = events.poll(Math.min(left, 100_000_000), TimeUnit.NANOSECONDS);
      if (event != null || left <= 0) {
        return event;
      }
    }
    return events.take();
  }

  private Outcome timedOut(long start) {
    if (masterEnded) {
      return new Outcome(
          0,
          String.format(
              "%s went on for %d s after the master had finished; killed",
              alive(), AFTER_MASTER_SECONDS));
    }
    List<Integer> missing = rendezvous.missing();
    String cause =
        String.format(
            "%s did not join within %d s",
            ranks(missing), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
    RankProcess first = crew.all().get(missing.isEmpty() ? 0 : missing.get(0));
    return new Outcome(1, cause + "; " + first.describe("is running"));
  }

  private Outcome handle(Event event) throws InterruptedException {
    if (event.report() == null) {
      return ended(event.rank());
    }
    if (event.report().finished()) {
      return null;
    }
    RankProcess rank = crew.all().get(event.number());
    return rank.awaitEnd(TimeUnit.SECONDS.toMillis(AFTER_REPORT_SECONDS))
        ? failed(rank)
        : new Outcome(1, rank.describe("failed and did not exit"));
  }

  private Outcome ended(RankProcess rank) {
    running--;
    if (crew.isEnding()) {
      return new Outcome(Outcome.STOPPED, "stopped from outside");
    }
    boolean early = rank.rank > 0 && !masterEnded && !rank.hasFinished();
    if (rank.exitCode() != 0 || early) {
      return failed(rank);
    }
    masterEnded |= rank.rank == 0;
    return null;
  }

  private Outcome failed(RankProcess rank) {
    int code = rank.exitCode();
    if (code == 0) {
      return new Outcome(1, rank.describe("exited with code 0 before the master had finished"));
    }
    if (code <= SIGNAL_BASE) {
      return new Outcome(code, rank.describe("exited with code " + code));
    }
    String cause = rank.describe("was killed by signal " + (code - SIGNAL_BASE));
    boolean allWorkers = crew.all().stream().noneMatch(r -> r.rank > 0 && r.isAlive());
    return new Outcome(rank.rank > 0 && allWorkers ? Outcome.ALL_WORKERS_LOST : code, cause);
  }

  private String alive() {
    return ranks(crew.all().stream().filter(RankProcess::isAlive).map(rank -> rank.rank).toList());
  }

  private static String ranks(List<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
