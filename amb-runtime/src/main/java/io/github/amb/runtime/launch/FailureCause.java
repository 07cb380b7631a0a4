package io.github.amb.runtime.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds out which of several losses at about the same time is the cause of a run's end. How a
 * process ended says more than what others say about it; so the end of those that only lost others
 * is not believed to be the cause before there was time for a better one.
 */
final class FailureCause {
  /**
   * A loss, and how it ends the run.
   *
   * @param outcome of the run, if the loss is its cause
   */
  private record Case(RankFailure loss, RunOutcome outcome) {}

  private final Timeouts timeouts;
  private final long opened;
  private final List<Case> cases = new ArrayList<>();

  /**
   * @param now on the system's clock, in nanoseconds
   */
  FailureCause(Timeouts timeouts, long now) {
    this.timeouts = timeouts;
    opened = now;
  }

  /**
   * Adds a loss.
   *
   * @param end how it ends the run; null if it would not have ended it
   */
  void add(RankFailure loss, RunOutcome end) {
    cases.add(new Case(loss, end == null ? new RunOutcome(loss.exitCode(), loss.cause()) : end));
  }

  /**
   * How the run ends; null as long as a better cause may be found.
   *
   * @param left whether there are ranks whose end is not known
   * @param failing whether one of those has reported a failure of its own
   */
  RunOutcome verdict(long now, boolean left, boolean failing) {
    Case best =
        cases.stream()
            .max(
                Comparator.<Case, RankFailure.Evidence>comparing(one -> one.loss().evidence())
                    .thenComparing(one -> -cases.indexOf(one)))
            .orElseThrow();
    Duration limit =
        switch (best.loss().evidence()) {
          case EXIT -> Duration.ZERO;
          case REPORT -> timeouts.settle();
          case CONSEQUENCE -> failing ? timeouts.afterReport() : timeouts.rootCause();
        };
    return !left || now - opened >= limit.toNanos() ? best.outcome() : null;
  }

  /** Workers of those losses that others have caused. */
  int bystanders() {
    return (int)
        cases.stream()
            .map(Case::loss)
            .filter(loss -> loss.rank() > 0 && loss.evidence() == RankFailure.Evidence.CONSEQUENCE)
            .count();
  }
}
