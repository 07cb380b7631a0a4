package io.github.amb.runtime.launch;

/**
 * How a launched run ended.
 *
 * @param exitCode 0 if the master finished and nothing failed before
 * @param cause one line: the rank, its process id, what happened, its last line; empty after a
 *     success
 */
public record RunOutcome(int exitCode, String cause) {
  /** Success. */
  public static final RunOutcome DONE = new RunOutcome(0, "");

  /** The cause that goes with {@link io.github.amb.core.record.ExitCode#STOPPED}. */
  public static final String INTERRUPTED = "interrupted by a signal (SIGINT, SIGTERM or SIGHUP)";
}
