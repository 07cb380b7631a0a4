package io.github.amb.core.record;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The test of a run's last parameters on the test part, in {@code master.jsonl}. Only a run with a
 * validation part has one: its {@link EvaluationRecord}s are of the validation part.
 *
 * @param time seconds since the run's first step began, when the parameters were made
 * @param step updates applied to the parameters
 * @param testLoss mean loss per example
 * @param accuracy share of examples classified correctly, 0 to 1
 * @param testSize number of examples
 */
public record EndRecord(double time, long step, double testLoss, double accuracy, int testSize)
    implements LogRecord {
  /** The loss, the accuracy and their circumstances. */
  public static EndRecord of(EvaluationRecord found) {
    return new EndRecord(
        found.time(), found.step(), found.testLoss(), found.accuracy(), found.testSize());
  }

  /** Other numbers by name, and these ones: {@code test_part_loss}, {@code test_part_accuracy}. */
  public Map<String, Double> with(Map<String, Double> others) {
    Map<String, Double> all = new LinkedHashMap<>(others);
    all.put("test_part_loss", testLoss);
    all.put("test_part_accuracy", accuracy);
    return all;
  }
}
