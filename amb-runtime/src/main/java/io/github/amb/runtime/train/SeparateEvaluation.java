package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.EVALUATOR;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.EvaluatorProcess;
import java.io.IOException;

/** What {@code --evaluator} asks for. */
final class SeparateEvaluation {
  private SeparateEvaluation() {}

  /** Starts a process that tests checkpoints, if there is to be one. */
  static EvaluatorProcess start(Settings settings, RunDirectory run) throws IOException {
    return settings.get(EVALUATOR).equals("process")
        ? EvaluatorProcess.start(run)
        : EvaluatorProcess.none();
  }
}
