package io.github.amb.runtime.launch;

import io.github.amb.core.record.ExitCode;

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

  /** The failure of a rank whose process has ended. */
  static RankFailure of(KnownRank rank, RankEnd end) {
    int code = rank.stuck ? FAILED : end.exitCode();
    return new RankFailure(
        rank.rank(), cause(rank, end), code == 0 ? FAILED : code, evidence(rank, code));
  }

  private static Evidence evidence(KnownRank rank, int code) {
    if (rank.failure == null || rank.killed != null || isSignal(code) || code == OUT_OF_MEMORY) {
      return Evidence.EXIT;
    }
    return rank.failure.own() ? Evidence.REPORT : Evidence.CONSEQUENCE;
  }

  private static String cause(KnownRank rank, RankEnd end) {
    int code = end.exitCode();
    if (rank.stuck) {
      return describe(rank, end, "failed, did not exit, and was killed");
    }
    if (rank.killed != null) {
      return end.name() + " was killed: " + rank.killed;
    }
    if (code == 0) {
      return describe(rank, end, "exited with code 0 before the master had finished");
    }
    if (isSignal(code)) {
      return killed(rank, end, code - SIGNAL_BASE);
    }
    String what = describe(rank, end, "exited with code " + code);
    return code == OUT_OF_MEMORY && what.contains(OutOfMemoryError.class.getSimpleName())
        ? what + "; raise " + heap(rank.rank())
        : what;
  }

  private static String describe(KnownRank rank, RankEnd end, String event) {
    return describe(end.name(), event, rank.said(end.lastLine()));
  }

  /** One line: a rank, what happened to it, and what it said; empty if it said nothing. */
  static String describe(String name, String event, String said) {
    return name + " " + event + (said.isEmpty() ? "" : ": " + said);
  }

  /** The last ordinary line does not explain a signal. */
  private static String killed(KnownRank rank, RankEnd end, int signal) {
    boolean report = !end.crash().isEmpty() && !end.crashReport().isEmpty();
    return describe(end.name(), "was killed by signal " + signal, rank.said(end.crash()))
        + (report ? "; see " + end.crashReport() : "")
        + (signal == KILL && end.memory() ? remedy(rank.rank()) : "");
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
