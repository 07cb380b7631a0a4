package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.RankReport;

/**
 * The loss of a rank: what happened to it, and whether and how that ends the run.
 *
 * @param rank its number
 * @param cause one line: the rank, its process, what happened
 * @param exitCode the run's, unless it goes on or there is a code that says more; not 0
 * @param evidence how much it says about why the run fails
 */
record RankFailure(int rank, String cause, int exitCode, Evidence evidence) {
  /** What says how much, the least first. */
  enum Evidence {
    /** The rank said that it had lost others. */
    CONSEQUENCE,
    /** The rank said that it failed of its own. */
    REPORT,
    /** The process was killed, or left without a word. */
    EXIT
  }

  private static final int FAILED = 1;
  private static final int SIGNAL_BASE = 128;
  private static final int MOST_SIGNALS = 64;

  /** With this, Java exits by -XX:+ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  private static final int KILL = 9;

  /**
   * The loss of a rank whose process has ended.
   *
   * @param kills those by the kernel for want of memory, on this host
   */
  static RankFailure of(RankProcess rank, OutOfMemoryKills kills) {
    int code = rank.exitCode();
    if (rank.isStuck()) {
      return new RankFailure(
          rank.rank,
          rank.describe("failed, did not exit, and was killed"),
          FAILED,
          evidence(rank, FAILED));
    }
    return new RankFailure(
        rank.rank, cause(rank, code, kills), code == 0 ? FAILED : code, evidence(rank, code));
  }

  private static Evidence evidence(RankProcess rank, int code) {
    RankReport.Failed failure = rank.failure();
    if (failure == null || rank.reason() != null || isSignal(code) || code == OUT_OF_MEMORY) {
      return Evidence.EXIT;
    }
    return failure.own() ? Evidence.REPORT : Evidence.CONSEQUENCE;
  }

  private static String cause(RankProcess rank, int code, OutOfMemoryKills kills) {
    if (rank.reason() != null) {
      return rank.name() + " was killed: " + rank.reason();
    }
    if (code == 0) {
      return rank.describe("exited with code 0 before the master had finished");
    }
    if (isSignal(code)) {
      boolean memory = code == SIGNAL_BASE + KILL && rank.isHere() && kills.happened();
      return rank.describeKilled(code - SIGNAL_BASE) + (memory ? remedy(rank.rank) : "");
    }
    String what = rank.describe("exited with code " + code);
    return code == OUT_OF_MEMORY && what.contains(OutOfMemoryError.class.getSimpleName())
        ? what + "; raise " + heap(rank.rank)
        : what;
  }

  private static String heap(int rank) {
    return rank == 0 ? "--master-heap" : "--worker-heap";
  }

  private static String remedy(int rank) {
    return "; the kernel killed processes of this host as memory ran out: start fewer workers, lower "
        + heap(rank)
        + ", or give this host or its control group more memory";
  }

  /** A remote shell that fails exits with 255, which is no signal's. */
  private static boolean isSignal(int code) {
    return code > SIGNAL_BASE && code <= SIGNAL_BASE + MOST_SIGNALS;
  }

  /**
   * How it ends the run; null if it does not, as when training is over anyway.
   *
   * @param stage how far the run has come
   * @param survival what the run survives
   * @param workers how many are left
   */
  RunOutcome end(RunStage stage, FailurePolicy survival, int workers) {
    boolean over = stage.has(RunStage.OVER);
    boolean training = stage.has(RunStage.TRAINING);
    if (rank > 0 && workers == 0 && !over && (training || isSignal(exitCode))) {
      return new RunOutcome(RunOutcome.ALL_WORKERS_LOST, cause);
    }
    if (rank == 0 || !training || stage.has(RunStage.MASTER_ENDED)) {
      return new RunOutcome(exitCode, cause);
    }
    if (exitCode == RunOutcome.NOT_FINITE) {
      return new RunOutcome(FAILED, cause);
    }
    if (survival.minWorkers() == Integer.MAX_VALUE) {
      return new RunOutcome(exitCode, cause);
    }
    return over || workers >= survival.minWorkers()
        ? null
        : new RunOutcome(
            RunOutcome.TOO_FEW_WORKERS,
            "workers left: %d, fewer than --min-workers %d: %s"
                .formatted(workers, survival.minWorkers(), cause));
  }
}
