package io.github.amb.core.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.amb.core.option.Decimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One evaluation on test examples, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, when the evaluated parameters were made
 * @param step updates applied to the evaluated parameters
 * @param testLoss mean loss per test example
 * @param accuracy share of test examples classified correctly, 0 to 1. For a regression, the share
 *     of those predicted with an error below ½. NaN where there is nothing to classify.
 * @param testSize number of test examples
 * @param duration seconds the evaluation took
 * @param metrics further numbers of the model by name, in the order in which they are shown; null
 *     counts as none
 */
public record EvaluationRecord(
    double time,
    long step,
    double testLoss,
    double accuracy,
    int testSize,
    double duration,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> metrics)
    implements LogRecord {
  /** Copies the metrics. */
  public EvaluationRecord {
    metrics =
        metrics == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  /** An evaluation without further numbers. */
  public EvaluationRecord(
      double time, long step, double testLoss, double accuracy, int testSize, double duration) {
    this(time, step, testLoss, accuracy, testSize, duration, Map.of());
  }

  /** Of two evaluations of the same parameters, the one on more examples, then of more metrics. */
  public static EvaluationRecord larger(EvaluationRecord first, EvaluationRecord second) {
    int more = Integer.compare(second.testSize, first.testSize);
    boolean further = more == 0 && second.metrics.size() > first.metrics.size();
    return more > 0 || further ? second : first;
  }

  /** What the best parameters have most of: accuracy, or −loss where there is no accuracy. */
  public double merit() {
    return Double.isNaN(accuracy) ? -testLoss : accuracy;
  }

  /** Loss, accuracy if there is one, and metrics for people: {@code name = number, …}. */
  public String scores() {
    StringBuilder text = new StringBuilder(Decimal.format("test_loss = %.6g", testLoss));
    if (!Double.isNaN(accuracy)) {
      text.append(Decimal.format(", accuracy = %.4f", accuracy));
    }
    metrics.forEach((name, value) -> text.append(Decimal.format(", %s = %.6g", name, value)));
    return text.toString();
  }
}
