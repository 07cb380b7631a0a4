package io.github.amb.plots.summary;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.plots.run.Run;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** The accuracy at which runs are compared, and the time at which a run first reached it. */
final class TargetAccuracy {
  private static final double[] CANDIDATES = {
    0.99, 0.98, 0.97, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01
  };

  private TargetAccuracy() {}

  /** The highest candidate that every run with evaluations reached; empty if there is none. */
  static OptionalDouble reachedByAll(List<Run> runs) {
    List<Run> evaluated = runs.stream().filter(run -> !run.evaluations().isEmpty()).toList();
    if (evaluated.isEmpty()) {
      return OptionalDouble.empty();
    }
    return Arrays.stream(CANDIDATES)
        .filter(target -> evaluated.stream().allMatch(run -> isReached(run, target)))
        .findFirst();
  }

  private static boolean isReached(Run run, double target) {
    return !Double.isNaN(timeTo(run.evaluations(), target));
  }

  /**
   * Seconds of the earliest evaluation at or above the target; NaN if there is none. Values between
   * evaluations are unknown and not interpolated.
   */
  static double timeTo(List<EvaluationRecord> evaluations, double target) {
    return evaluations.stream()
        .filter(evaluation -> evaluation.accuracy() >= target)
        .min(Comparator.comparingDouble(EvaluationRecord::time))
        .map(EvaluationRecord::time)
        .orElse(Double.NaN);
  }
}
