package io.github.amb.runtime.launch;

import java.time.Duration;

/**
 * What a run survives.
 *
 * @param minWorkers the fewest workers that it goes on with
 * @param deadAfter how long a rank that cannot be reached is waited for, and may be silent
 *     unnoticed
 * @param stallAfter silence after which a rank is killed
 * @param respawns how many replacements may be started in all
 */
public record FailurePolicy(int minWorkers, Duration deadAfter, Duration stallAfter, int respawns) {
  /** Nothing: the first loss ends the run. */
  public static final FailurePolicy NONE =
      new FailurePolicy(Integer.MAX_VALUE, Duration.ofSeconds(5), Duration.ofSeconds(30), 0);
}
