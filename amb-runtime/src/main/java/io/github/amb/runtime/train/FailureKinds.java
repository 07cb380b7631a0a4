package io.github.amb.runtime.train;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.checkpoint.StoppedException;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.program.FailureText;
import io.github.amb.runtime.train.rank.TooFewWorkersException;

/** Classifies failures of this process by what they mean for the run. */
final class FailureKinds {
  private FailureKinds() {}

  static RunOutcome of(Throwable failure) {
    if (failure instanceof TooFewWorkersException few) {
      return new RunOutcome(few.exitCode(), few.getMessage());
    }
    int other = failure instanceof StoppedException ? ExitCode.STOPPED : ExitCode.FAILED;
    int code = failure instanceof UsageException ? ExitCode.USAGE : other;
    return new RunOutcome(code, FailureText.of(failure));
  }
}
