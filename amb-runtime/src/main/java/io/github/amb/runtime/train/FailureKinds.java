package io.github.amb.runtime.train;

import io.github.amb.runtime.Amb;
import io.github.amb.runtime.checkpoint.StoppedException;
import io.github.amb.runtime.launch.RunOutcome;

/** Classifies failures of this process by what they mean for the run. */
final class FailureKinds {
  private FailureKinds() {}

  static RunOutcome of(Throwable failure) {
    boolean stopped = failure instanceof StoppedException;
    return new RunOutcome(stopped ? RunOutcome.STOPPED : Amb.FAILED, Amb.describe(failure));
  }
}
