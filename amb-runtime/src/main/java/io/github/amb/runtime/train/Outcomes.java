package io.github.amb.runtime.train;

import io.github.amb.runtime.Amb;
import io.github.amb.runtime.checkpoint.StoppedException;
import io.github.amb.runtime.launch.Outcome;

/** What a failure in this process means for the run. */
final class Outcomes {
  private Outcomes() {}

  static Outcome of(Throwable failure) {
    boolean stopped = failure instanceof StoppedException;
    return new Outcome(stopped ? Outcome.STOPPED : Amb.FAILED, Amb.describe(failure));
  }
}
