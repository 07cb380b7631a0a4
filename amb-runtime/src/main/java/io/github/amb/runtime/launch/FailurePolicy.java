package io.github.amb.runtime.launch;

import java.time.Duration;

/**
 * Which rank failures a run survives.
 *
 * @param minWorkers minimum number of workers with which the run continues
 * @param deadAfter time without a heartbeat, or without a connection, before a warning and new
 *     connections
 * @param stallAfter time without a heartbeat after which a rank is killed
 * @param respawns maximum number of replacements in a run
 */
public record FailurePolicy(int minWorkers, Duration deadAfter, Duration stallAfter, int respawns) {
  /** No failure: the first one ends the run. */
  public static final FailurePolicy NONE =
      new FailurePolicy(Integer.MAX_VALUE, Duration.ofSeconds(5), Duration.ofSeconds(30), 0);
}
