package io.github.amb.runtime.experiment.measure;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.statistic.MovingAverage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A number of a run: a quantity between two of its steps.
 *
 * @param name as the file has it
 * @param of the quantity
 * @param accuracy the last step is the first that reaches this test accuracy; NaN for none
 * @param smooth span, in evaluations, of the moving average of the accuracy; 1 for none
 * @param afterStep the step after which it begins; 0 for the start
 * @param toStep the last step; 0 for the run's last
 */
public record RunMeasure(
    String name, RunQuantity of, double accuracy, double smooth, long afterStep, long toStep) {
  private static final StepRecord START = new StepRecord(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Whether a run can fail to reach it. */
  public boolean hasTarget() {
    return !Double.isNaN(accuracy);
  }

  /**
   * The number of a run; NaN if it did not get so far.
   *
   * @param master the master's records
   */
  public double of(List<LogRecord> master) {
    List<StepRecord> steps =
        of(master, StepRecord.class, Comparator.comparingLong(StepRecord::step));
    List<EvaluationRecord> evaluations =
        smooth(
            of(master, EvaluationRecord.class, Comparator.comparingLong(EvaluationRecord::step)));
    StepRecord begin = at(steps, afterStep);
    StepRecord end = end(steps, evaluations);
    if (begin == null || end == null || end.step() <= begin.step()) {
      return Double.NaN;
    }
    double time = end.time() - begin.time();
    double up = end.bytesReceived() - begin.bytesReceived();
    double down = end.bytesSent() - begin.bytesSent();
    double steppedOver = end.step() - begin.step();
    double examples = end.totalSamples() - begin.totalSamples();
    return switch (of) {
      case TIME -> time;
      case STEPS -> steppedOver;
      case EXAMPLES -> examples;
      case BYTES -> up + down;
      case BYTES_UP -> up;
      case BYTES_DOWN -> down;
      case SECONDS_PER_STEP -> time / steppedOver;
      case EXAMPLES_PER_SECOND -> examples / time;
      case BYTES_PER_SECOND -> (up + down) / time;
      case ACCURACY -> last(evaluations, begin, end);
      case BEST_ACCURACY -> best(evaluations, begin, end);
    };
  }

  private static <T extends LogRecord> List<T> of(
      List<LogRecord> master, Class<T> type, Comparator<T> order) {
    return master.stream().filter(type::isInstance).map(type::cast).sorted(order).toList();
  }

  private List<EvaluationRecord> smooth(List<EvaluationRecord> evaluations) {
    MovingAverage average = new MovingAverage(smooth);
    List<EvaluationRecord> smooth = new ArrayList<>();
    for (EvaluationRecord one : evaluations) {
      smooth.add(
          new EvaluationRecord(
              one.time(),
              one.step(),
              one.testLoss(),
              average.next(one.accuracy()),
              one.testSize(),
              one.duration()));
    }
    return smooth;
  }

  private StepRecord end(List<StepRecord> steps, List<EvaluationRecord> evaluations) {
    if (hasTarget()) {
      return evaluations.stream()
          .filter(one -> one.accuracy() >= accuracy)
          .findFirst()
          .map(one -> at(steps, one.step()))
          .orElse(null);
    }
    return toStep > 0 ? at(steps, toStep) : steps.isEmpty() ? null : steps.get(steps.size() - 1);
  }

  /** The record of a step; null if the run did not get so far. */
  private static StepRecord at(List<StepRecord> steps, long step) {
    return step == 0
        ? START
        : steps.stream().filter(one -> one.step() == step).findFirst().orElse(null);
  }

  private static double last(List<EvaluationRecord> all, StepRecord begin, StepRecord end) {
    return all.stream()
        .filter(one -> one.step() > begin.step() && one.step() <= end.step())
        .reduce((one, next) -> next)
        .map(EvaluationRecord::accuracy)
        .orElse(Double.NaN);
  }

  private static double best(List<EvaluationRecord> all, StepRecord begin, StepRecord end) {
    return all.stream()
        .filter(one -> one.step() > begin.step() && one.step() <= end.step())
        .mapToDouble(EvaluationRecord::accuracy)
        .max()
        .orElse(Double.NaN);
  }
}
