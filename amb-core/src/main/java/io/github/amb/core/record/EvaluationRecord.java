package io.github.amb.core.record;

/**
 * One evaluation on test examples, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, when the evaluated parameters were made
 * @param step updates applied to the evaluated parameters
 * @param testLoss mean loss per test example
 * @param accuracy share of test examples classified correctly, 0 to 1. For a regression, the share
 *     of those predicted with an error below ½.
 * @param testSize number of test examples
 * @param duration seconds the evaluation took
 */
public record EvaluationRecord(
    double time, long step, double testLoss, double accuracy, int testSize, double duration)
    implements LogRecord {
  /** Of two evaluations of the same parameters, the one on more examples; the first if equal. */
  public static EvaluationRecord larger(EvaluationRecord first, EvaluationRecord second) {
    return second.testSize > first.testSize ? second : first;
  }
}
