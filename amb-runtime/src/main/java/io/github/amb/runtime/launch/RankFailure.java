package io.github.amb.runtime.launch;

import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.control.RankReport;

/**
 * The failure of a rank: what happened to it, and whether and how it ends the run.
 *
 * @param rank its number in the run
 * @param cause one line: the rank, its process, what happened
 * @param exitCode exit code of the run if this failure ends it and no other code says more; not 0
 * @param evidence how much the failure says about the root cause
 */
record RankFailure(int rank, String cause, int exitCode, Evidence evidence) {
  /** How much a failure says about the root cause, in ascending order. */
  enum Evidence {
    /** The rank reported that it failed because of others. */
    CONSEQUENCE,
    /** The rank reported a failure of its own. */
    REPORT,
    /** The process was killed, or ended without a report. */
    EXIT
  }

  private static final int FAILED = 1;
  private static final int SIGNAL_BASE = 128;
  private static final int MAX_SIGNALS = 64;

  /** Java's exit code with -XX:+ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  private static final int KILL = 9;

  /**
   * The failure of a rank whose process has ended.
   *
   * @param rank the rank
   * @param kills the kernel's kills on this host as memory ran out
   */
  static RankFailure of(RankProcess rank, OutOfMemoryKills kills) {
    int code = rank.isStuck() ? FAILED : rank.exitCode();
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
    if (rank.isStuck()) {
      return rank.describe("failed, did not exit, and was killed");
    }
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

  /** A failing remote shell exits with 255, which is not the code of a signal. */
  private static boolean isSignal(int code) {
    return code > SIGNAL_BASE && code <= SIGNAL_BASE + MAX_SIGNALS;
  }

  /**
   * How this failure ends the run; null if the run continues, as after the last step.
   *
   * @param stage how far the run has come
   * @param survival which failures the run survives
   * @param workers number of remaining workers
   */
  RunOutcome end(RunStage stage, FailurePolicy survival, int workers) {
    boolean over = stage.has(RunStage.OVER);
    boolean training = stage.has(RunStage.TRAINING);
    if (rank > 0 && workers == 0 && !over && (training || isSignal(exitCode))) {
      return new RunOutcome(ExitCode.ALL_WORKERS_LOST, cause);
    }
    if (rank == 0 || !training || stage.has(RunStage.MASTER_ENDED)) {
      return new RunOutcome(exitCode, cause);
    }
    if (exitCode == ExitCode.NOT_FINITE) {
      return new RunOutcome(FAILED, cause);
    }
    if (survival.minWorkers() == Integer.MAX_VALUE) {
      return new RunOutcome(exitCode, cause);
    }
    return over || workers >= survival.minWorkers()
        ? null
        : new RunOutcome(
            ExitCode.TOO_FEW_WORKERS,
            "workers left: %d, fewer than --min-workers %d: %s"
                .formatted(workers, survival.minWorkers(), cause));
  }
}
