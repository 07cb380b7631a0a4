package io.github.amb.runtime.launch;

/**
 * How a launched run ended.
 *
 * @param exitCode 0 if the master finished and nothing failed before
 * @param cause one line: which rank, its process id, what happened, the last line that it wrote;
 *     empty if all went well
 */
public record RunOutcome(int exitCode, String cause) {
  /** All workers were killed or crashed. */
  public static final int ALL_WORKERS_LOST = 20;

  /** Fewer workers are left than {@code --min-workers}. */
  public static final int TOO_FEW_WORKERS = 21;

  /** With this, a worker exits that found its result infinite or not a number: the run ends. */
  public static final int NOT_FINITE = 22;

  /** Interrupted by Ctrl-C or another signal that asks the program to end. */
  public static final int STOPPED = 130;

  /** The cause that goes with {@link #STOPPED}. */
  public static final String INTERRUPTED = "interrupted by a signal (SIGINT, SIGTERM or SIGHUP)";
}
