package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.config.TrainSettings.EVALUATOR;
import static io.github.amb.runtime.config.TrainSettings.PROCESS;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.config.Settings;
import java.io.IOException;
import java.util.function.LongPredicate;

/** The separate evaluator of {@code --evaluator process}. */
public final class SeparateEvaluation {
  private SeparateEvaluation() {}

  /** Accepts the steps of checkpoints that the evaluator has not tested yet. */
  static LongPredicate untested(Settings settings, RunDirectory run) {
    return step -> isWanted(settings) && !isTested(run, step);
  }

  /** Whether a process of its own tests the checkpoints. */
  public static boolean isWanted(Settings settings) {
    return settings.get(EVALUATOR).equals(PROCESS);
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
