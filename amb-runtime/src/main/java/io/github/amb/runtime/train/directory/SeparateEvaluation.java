package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.config.TrainSettings.EVALUATOR;
import static io.github.amb.runtime.config.TrainSettings.PLUGINS;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.process.EvaluatorProcess;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** The separate evaluator of {@code --evaluator process}. */
public final class SeparateEvaluation {
  private SeparateEvaluation() {}

  /**
   * Starts the process that tests checkpoints; does nothing unless {@code --evaluator process} is
   * set.
   *
   * @param warnings receives a line if it fails
   */
  public static EvaluatorProcess start(
      Settings settings, RunDirectory run, Consumer<String> warnings) throws IOException {
    return isWanted(settings)
        ? EvaluatorProcess.start(run, settings.get(PLUGINS), warnings)
        : EvaluatorProcess.none();
  }

  /** Accepts the steps of checkpoints that the evaluator has not tested yet. */
  static LongPredicate untested(Settings settings, RunDirectory run) {
    return step -> isWanted(settings) && !isTested(run, step);
  }

  private static boolean isWanted(Settings settings) {
    return settings.get(EVALUATOR).equals("process");
  }

  private static boolean isTested(RunDirectory run, long step) {
    try {
      return run.evaluatorRecords().stream()
          .anyMatch(record -> record instanceof EvaluationRecord tested && tested.step() == step);
    } catch (IOException e) {
      return false;
    }
  }
}
