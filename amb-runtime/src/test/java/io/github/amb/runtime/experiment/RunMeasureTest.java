package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunMeasureTest {
  /** Step n ends at 2n s, after 10n examples, 100n bytes up and 1,000n bytes down. */
  private static List<LogRecord> run(double... accuracies) {
    List<LogRecord> records = new ArrayList<>();
    for (int n = 1; n <= accuracies.length; n++) {
      records.add(new StepRecord(2 * n, n, 1, 0.1, 10, 10L * n, 0, 0, 1000L * n, 100L * n));
      records.add(new EvaluationRecord(2 * n, n, 1, accuracies[n - 1], 100, 0));
    }
    return records;
  }

  private static double of(RunQuantity quantity, double accuracy, double smooth, double... run) {
    return new RunMeasure("m", quantity, accuracy, Double.NaN, "", smooth, 1, 0, 0, false)
        .of(run(run))
        .value();
  }

  @Test
  void aTargetIsReachedByTheFirstEvaluationThere() {
    assertEquals(4, of(RunQuantity.TIME, 0.5, 1, 0.2, 0.5, 0.3, 0.9));
    assertEquals(2, of(RunQuantity.STEPS, 0.5, 1, 0.2, 0.5, 0.3, 0.9));
    assertEquals(2200, of(RunQuantity.BYTES, 0.5, 1, 0.2, 0.5, 0.3, 0.9));
    assertEquals(200, of(RunQuantity.BYTES_UP, 0.5, 1, 0.2, 0.5, 0.3, 0.9));
  }

  @Test
  void aTargetThatIsNotReachedHasNoNumber() {
    assertEquals(Double.NaN, of(RunQuantity.TIME, 0.95, 1, 0.2, 0.5, 0.3, 0.9));
  }

  @Test
  void aSmoothedAccuracyReachesATargetLater() {
    // Span 3 has α = 1/2: averages 0, (0.6 + 0) / 1.5 = 0.4, (0.6 + 0.3) / 1.75 = 0.514.
    assertEquals(6, of(RunQuantity.TIME, 0.5, 3, 0, 0.6, 0.6));
  }

  @Test
  void aWindowHasTheMeanOfTheLastEvaluations() {
    // Means of 2: 0, 0.3, 0.6.
    RunMeasure mean = new RunMeasure("m", RunQuantity.TIME, 0.5, Double.NaN, "", 1, 2, 0, 0, false);

    assertEquals(6, mean.of(run(0, 0.6, 0.6)).value());
    assertEquals(Double.NaN, mean.of(run(0, 0.6, 0.3, 0.6)).value());
  }

  @Test
  void withoutATargetTheWholeRunCounts() {
    assertEquals(5, of(RunQuantity.EXAMPLES_PER_SECOND, Double.NaN, 1, 0.1, 0.2));
    assertEquals(0.2, of(RunQuantity.ACCURACY, Double.NaN, 1, 0.4, 0.2));
    assertEquals(0.4, of(RunQuantity.BEST_ACCURACY, Double.NaN, 1, 0.4, 0.2));
  }

  @Test
  void aMetricTakesThePlaceOfTheLoss() {
    List<LogRecord> records = new ArrayList<>();
    double[] gaps = {1e-2, 1e-5, 1e-4};
    for (int n = 1; n <= gaps.length; n++) {
      records.add(new StepRecord(2 * n, n, 1, 0.1, 10, 10L * n, 0, 0, 1000L * n, 100L * n));
      Map<String, Double> metrics = Map.of("gap", gaps[n - 1]);
      records.add(new EvaluationRecord(2 * n, n, -7, Double.NaN, 1, 0, metrics));
    }

    assertEquals(4, ofMetric(RunQuantity.TIME, 1e-3, "gap").of(records).value());
    assertEquals(1e-4, ofMetric(RunQuantity.LOSS, Double.NaN, "gap").of(records).value());
    assertEquals(1e-5, ofMetric(RunQuantity.BEST_LOSS, Double.NaN, "gap").of(records).value());
    assertEquals(Double.NaN, ofMetric(RunQuantity.TIME, 1, "other").of(records).value());
  }

  private static RunMeasure ofMetric(RunQuantity quantity, double loss, String metric) {
    return new RunMeasure("m", quantity, Double.NaN, loss, metric, 1, 1, 0, 0, false);
  }

  @Test
  void aNumberCanBeOfSomeStepsOnly() {
    RunMeasure middle =
        new RunMeasure("m", RunQuantity.TIME, Double.NaN, Double.NaN, "", 1, 1, 1, 3, false);

    assertEquals(4, middle.of(run(0, 0, 0, 0)).value());
    assertEquals(Double.NaN, middle.of(run(0, 0)).value());
  }

  @Test
  void aTargetIsSoughtBetweenTheSteps() {
    double[] accuracies = {0.6, 0.4, 0.5, 0.7};

    assertEquals(4, reached(1, 3).of(run(accuracies)).value());
    assertEquals(Double.NaN, reached(1, 2).of(run(accuracies)).value());
  }

  private static RunMeasure reached(long afterStep, long toStep) {
    return new RunMeasure(
        "m", RunQuantity.TIME, 0.5, Double.NaN, "", 1, 1, afterStep, toStep, false);
  }

  @Test
  void aRunWithoutRecordsHasNoNumber() {
    assertEquals(Double.NaN, of(RunQuantity.ACCURACY, Double.NaN, 1));
  }

  @Test
  void aTargetHasTheTimeSinceTheTestBefore() {
    List<LogRecord> sparse = new ArrayList<>(run(0, 0, 0, 0));
    sparse.removeIf(record -> record instanceof EvaluationRecord);
    sparse.add(new EvaluationRecord(2, 1, 1, 0.3, 100, 0));
    sparse.add(new EvaluationRecord(8, 4, 1, 0.7, 100, 0));

    RunMeasure.Measured found = target(0.5, Double.NaN, false).of(sparse);

    assertEquals(8, found.value());
    assertEquals(6, found.resolution());
    // Half of the way from 0.3 to 0.7, and from 2 s to 8 s.
    assertEquals(5, target(0.5, Double.NaN, true).of(sparse).value(), 1e-12);
    assertEquals(2, target(0.1, Double.NaN, true).of(sparse).value());
  }

  @Test
  void aLossIsATargetAndANumber() {
    List<LogRecord> records = new ArrayList<>(run(0, 0, 0));
    records.removeIf(record -> record instanceof EvaluationRecord);
    double[] losses = {3, 1, 2};
    for (int n = 1; n <= losses.length; n++) {
      records.add(new EvaluationRecord(2 * n, n, losses[n - 1], 0, 100, 0));
    }

    assertEquals(4, target(Double.NaN, 1.5, false).of(records).value());
    assertEquals(3.5, target(Double.NaN, 1.5, true).of(records).value());
    assertEquals(Double.NaN, target(Double.NaN, 0.5, false).of(records).value());
    assertEquals(2, whole(RunQuantity.LOSS).of(records).value());
    assertEquals(1, whole(RunQuantity.BEST_LOSS).of(records).value());
  }

  private static RunMeasure target(double accuracy, double loss, boolean interpolates) {
    return new RunMeasure("m", RunQuantity.TIME, accuracy, loss, "", 1, 1, 0, 0, interpolates);
  }

  private static RunMeasure whole(RunQuantity quantity) {
    return new RunMeasure("m", quantity, Double.NaN, Double.NaN, "", 1, 1, 0, 0, false);
  }
}
