package io.github.amb.runtime.experiment.measure;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.statistic.MovingAverage;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A number of a run: a quantity between two of its steps.
 *
 * @param name as the file has it
 * @param of the quantity
 * @param accuracy the last step is the first of these steps that reaches this test accuracy; NaN
 *     for none
 * @param smooth span, in evaluations, of the exponential moving average of the accuracy; 1 for none
 * @param window number of evaluations, this one and those before, whose mean is the accuracy; 1 for
 *     none
 * @param afterStep the step after which it begins; 0 for the start
 * @param toStep the last step; 0 for the run's last
 */
public record RunMeasure(
    String name,
    RunQuantity of,
    double accuracy,
    double smooth,
    long window,
    long afterStep,
    long toStep) {
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
        LogRecord.of(StepRecord.class, master).stream()
            .sorted(Comparator.comparingLong(StepRecord::step))
            .toList();
    List<EvaluationRecord> evaluations = smooth(LogRecord.of(EvaluationRecord.class, master));
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
      case ACCURACY ->
          accuracies(evaluations, begin, end).reduce((one, next) -> next).orElse(Double.NaN);
      case BEST_ACCURACY -> accuracies(evaluations, begin, end).max().orElse(Double.NaN);
    };
  }

  /** The evaluations by step, each with the average of the accuracy. */
  private List<EvaluationRecord> smooth(List<EvaluationRecord> evaluations) {
    MovingAverage average = new MovingAverage(smooth);
    Deque<Double> last = new ArrayDeque<>();
    return evaluations.stream()
        .sorted(Comparator.comparingLong(EvaluationRecord::step))
        .map(
            one -> {
              last.addLast(average.next(one.accuracy()));
              if (last.size() > window) {
                last.removeFirst();
              }
              double mean = last.stream().mapToDouble(each -> each).average().orElseThrow();
              return new EvaluationRecord(
                  one.time(), one.step(), one.testLoss(), mean, one.testSize(), one.duration());
            })
        .toList();
  }

  private StepRecord end(List<StepRecord> steps, List<EvaluationRecord> evaluations) {
    if (hasTarget()) {
      return evaluations.stream()
          .filter(one -> one.step() > afterStep && (toStep == 0 || one.step() <= toStep))
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

  private static DoubleStream accuracies(
      List<EvaluationRecord> all, StepRecord begin, StepRecord end) {
    return all.stream()
        .filter(one -> one.step() > begin.step() && one.step() <= end.step())
        .mapToDouble(EvaluationRecord::accuracy);
  }
}
