package io.github.amb.runtime.launch;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Watches the ranks' heartbeats. A slow rank sends them. A stopped process does not: it is logged
 * first, and killed after {@code --stall-after}.
 */
final class HeartbeatMonitor {
  /**
   * If two checks are further apart than this, in nanoseconds, it was the launcher that did not
   * run.
   */
  private static final long OWN_PAUSE = TimeUnit.SECONDS.toNanos(3);

  private final FailurePolicy survival;
  private final Consumer<String> warnings;
  private final Set<RankProcess> silent = new HashSet<>();
  private long lastLook = System.nanoTime();

  HeartbeatMonitor(FailurePolicy survival, Consumer<String> warnings) {
    this.survival = survival;
    this.warnings = warnings;
  }

  void check(Collection<RankProcess> ranks) {
    long now = System.nanoTime();
    if (now - lastLook > OWN_PAUSE) {
      ranks.forEach(RankProcess::excuse);
    }
    lastLook = now;
    ranks.stream().filter(RankProcess::isAlive).forEach(this::check);
  }

  private void check(RankProcess rank) {
    long silence = rank.silence();
    if (silence > survival.stallAfter().toNanos()) {
      rank.kill(
          "no heartbeat for " + survival.stallAfter().toMillis() / 1000.0 + " s (--stall-after)");
    } else if (silence <= survival.deadAfter().toNanos()) {
      if (silent.remove(rank)) {
        warnings.accept("rank " + rank.rank + " is back: it sends heartbeats again");
      }
    } else if (silent.add(rank)) {
      warnings.accept(
          "rank %d sent no heartbeat for %.1f s; it will be killed after %.1f s (--stall-after)"
              .formatted(
                  rank.rank,
                  survival.deadAfter().toMillis() / 1000.0,
                  survival.stallAfter().toMillis() / 1000.0));
    }
  }
}
