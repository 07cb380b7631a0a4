package io.github.amb.runtime.train.rank;

import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.console.ProgressMeter;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hands on what the master's tests find.
 *
 * @param records gets each result
 * @param checkpoints keep the best parameters; empty where no gradients are computed
 * @param meter shows how far a test is
 */
record TestResults(
    Consumer<LogRecord> records, Optional<RunCheckpoints> checkpoints, ProgressMeter meter)
    implements EvaluationListener {
  @Override
  public void evaluated(EvaluationRecord result, float[] parameters) {
    if (!meter.hasTested(result.step())) { // A run that resumes at its end tests again.
      records.accept(result);
    }
    checkpoints.ifPresent(kept -> kept.evaluated(result, parameters));
  }

  @Override
  public void tested(int done, int of) {
    meter.testing(done, of);
  }
}
