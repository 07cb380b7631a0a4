package io.github.amb.runtime.launch;

/**
 * How a launched run ended.
 *
 * @param exitCode 0 if the master finished and nothing failed before
 * @param cause one line: the rank, its process id, what happened, its last line; empty after a
 *     success
 */
public record RunOutcome(int exitCode, String cause) {
  /** All workers were killed or crashed. */
  public static final int ALL_WORKERS_LOST = 20;

  /** Fewer workers are left than {@code --min-workers}. */
  public static final int TOO_FEW_WORKERS = 21;

  /** A worker exits with this code if its result is not finite; that ends the run. */
  public static final int NOT_FINITE = 22;

  /** Interrupted by Ctrl-C or another signal that asks the program to end. */
  public static final int STOPPED = 130;

  /** The cause that goes with {@link #STOPPED}. */
  public static final String INTERRUPTED = "interrupted by a signal (SIGINT, SIGTERM or SIGHUP)";
}
