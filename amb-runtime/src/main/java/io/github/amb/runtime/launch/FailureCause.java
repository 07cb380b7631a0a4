package io.github.amb.runtime.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the root cause among several rank failures at about the same time. The exit of a process
 * says more than other ranks' reports about it. A rank that failed because of others is therefore
 * reported only if no better cause is found in time.
 *
 * @param timeouts limits for the search
 * @param opened on the system's clock, in nanoseconds
 * @param cases the failures, in order; copied
 */
record FailureCause(Timeouts timeouts, long opened, List<Case> cases) {
  /**
   * A rank failure, and its effect on the run.
   *
   * @param loss the failure
   * @param outcome how the run ends if this failure is its cause
   */
  record Case(RankFailure loss, RunOutcome outcome) {}

  FailureCause {
    cases = List.copyOf(cases);
  }

  FailureCause(Timeouts timeouts, long opened) {
    this(timeouts, opened, List.of());
  }

  /**
   * This search with another rank failure.
   *
   * @param loss the failure
   * @param end how it ends the run; null if the run would have continued
   */
  FailureCause with(RankFailure loss, RunOutcome end) {
    List<Case> all = new ArrayList<>(cases);
    all.add(new Case(loss, end == null ? new RunOutcome(loss.exitCode(), loss.cause()) : end));
    return new FailureCause(timeouts, opened, all);
  }

  /**
   * How the run ends; null while a better cause may still be found.
   *
   * @param now on the system's clock, in nanoseconds
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

  /** Number of failed workers whose failure was caused by others. */
  int bystanders() {
    return (int)
        cases.stream()
            .map(Case::loss)
            .filter(loss -> loss.rank() > 0 && loss.evidence() == RankFailure.Evidence.CONSEQUENCE)
            .count();
  }
}
