package io.github.amb.runtime.experiment;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.statistic.MovingAverage;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * A number of a run: a quantity between two of its steps.
 *
 * @param name as the file has it
 * @param of the quantity
 * @param accuracy the last step is the first of these steps that reaches this test accuracy; NaN
 *     for none
 * @param loss the same for a test loss, which is to be at most this; NaN for none
 * @param metric a further number of the model that takes the place of the loss; empty for the loss
 * @param smooth span, in evaluations, of the exponential moving average of accuracy and loss; 1 for
 *     none
 * @param window number of evaluations, this one and those before, whose mean is accuracy and loss;
 *     1 for none
 * @param afterStep the step after which it begins; 0 for the start
 * @param toStep the last step; 0 for the run's last
 * @param interpolates whether the target is reached on the straight line between two tests, not at
 *     the second one
 */
public record RunMeasure(
    String name,
    RunQuantity of,
    double accuracy,
    double loss,
    String metric,
    double smooth,
    long window,
    long afterStep,
    long toStep,
    boolean interpolates) {
  private static final StepRecord START = new StepRecord(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * A run's number.
   *
   * @param value NaN if the run did not get so far
   * @param resolution with a target, how much less it would have been if the test before had
   *     reached it; NaN without one
   */
  public record Measured(double value, double resolution) {
    /** A run without a number. */
    public static final Measured NONE = new Measured(Double.NaN, Double.NaN);
  }

  /** What a test found, averaged. */
  private record Test(long step, double accuracy, double loss) {}

  /** Whether a run can fail to reach it. */
  public boolean hasTarget() {
    return !Double.isNaN(accuracy) || !Double.isNaN(loss);
  }

  /**
   * The number of a run, up to the first update that has used the budget up. A run that ends before
   * has no number, unless it has reached the target.
   *
   * @param master the master's records
   */
  Measured of(List<LogRecord> master, Budget budget) {
    if (!budget.isLimit()) {
      return of(master);
    }
    OptionalLong end =
        LogRecord.of(StepRecord.class, master).stream()
            .filter(step -> budget.share(step) >= 1)
            .mapToLong(StepRecord::step)
            .min();
    if (end.isEmpty()) {
      return hasTarget() ? of(master) : Measured.NONE;
    }
    return of(master.stream().filter(record -> record.step() <= end.getAsLong()).toList());
  }

  /**
   * The number of a run.
   *
   * @param master the master's records
   */
  public Measured of(List<LogRecord> master) {
    List<StepRecord> steps =
        LogRecord.of(StepRecord.class, master).stream()
            .sorted(Comparator.comparingLong(StepRecord::step))
            .toList();
    List<Test> tests = tests(LogRecord.of(EvaluationRecord.class, master));
    StepRecord begin = at(steps, afterStep);
    if (begin == null) {
      return Measured.NONE;
    }
    if (!hasTarget()) {
      return new Measured(value(begin, end(steps), tests), Double.NaN);
    }
    Test before = new Test(afterStep, Double.NaN, Double.NaN);
    for (Test test : tests) {
      if (test.step() > afterStep && (toStep == 0 || test.step() <= toStep)) {
        if (isReached(test)) {
          double late = value(begin, at(steps, test.step()), tests);
          double early =
              before.step() == afterStep ? 0 : value(begin, at(steps, before.step()), tests);
          double share = interpolates && of.grows() ? share(before, test) : 1;
          double resolution = of.grows() ? late - early : Double.NaN;
          return new Measured(early + share * (late - early), resolution);
        }
        before = test;
      }
    }
    return Measured.NONE;
  }

  private boolean isReached(Test test) {
    return (Double.isNaN(accuracy) || test.accuracy() >= accuracy)
        && (Double.isNaN(loss) || test.loss() <= loss);
  }

  /** How far it is from one test to the next where the target is reached; 1 if that is unknown. */
  private double share(Test before, Test test) {
    double byAccuracy = share(before.accuracy(), test.accuracy(), accuracy);
    double byLoss = share(before.loss(), test.loss(), loss);
    double share =
        Double.isNaN(byAccuracy)
            ? byLoss
            : Double.isNaN(byLoss) ? byAccuracy : Math.max(byAccuracy, byLoss);
    return Double.isNaN(share) ? 1 : Math.max(0, Math.min(1, share));
  }

  private static double share(double before, double after, double target) {
    return (target - before) / (after - before);
  }

  private double value(StepRecord begin, StepRecord end, List<Test> tests) {
    if (end == null || end.step() <= begin.step()) {
      return Double.NaN;
    }
    double time = end.time() - begin.time();
    double up = end.bytesReceived() - begin.bytesReceived();
    double down = end.bytesSent() - begin.bytesSent();
    double steppedOver = end.step() - begin.step();
    double examples = end.totalSamples() - begin.totalSamples();
    List<Test> between =
        tests.stream()
            .filter(one -> one.step() > begin.step() && one.step() <= end.step())
            .toList();
    DoubleStream accuracies = between.stream().mapToDouble(Test::accuracy);
    DoubleStream losses = between.stream().mapToDouble(Test::loss);
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
      case ACCURACY -> last(accuracies);
      case BEST_ACCURACY -> accuracies.max().orElse(Double.NaN);
      case LOSS -> last(losses);
      case BEST_LOSS -> losses.min().orElse(Double.NaN);
    };
  }

  private static double last(DoubleStream values) {
    return values.reduce((one, next) -> next).orElse(Double.NaN);
  }

  /** The tests by step, each with the averages of accuracy and loss. */
  private List<Test> tests(List<EvaluationRecord> evaluations) {
    DoubleUnaryOperator accuracies = average();
    DoubleUnaryOperator losses = average();
    return evaluations.stream()
        .sorted(Comparator.comparingLong(EvaluationRecord::step))
        .map(
            one ->
                new Test(
                    one.step(),
                    accuracies.applyAsDouble(one.accuracy()),
                    losses.applyAsDouble(
                        metric.isEmpty()
                            ? one.testLoss()
                            : one.metrics().getOrDefault(metric, Double.NaN))))
        .toList();
  }

  /** The average of the values that it has been given so far. */
  private DoubleUnaryOperator average() {
    MovingAverage average = new MovingAverage(smooth);
    Deque<Double> last = new ArrayDeque<>();
    return value -> {
      last.addLast(average.next(value));
      if (last.size() > window) {
        last.removeFirst();
      }
      return last.stream().mapToDouble(each -> each).average().orElseThrow();
    };
  }

  private StepRecord end(List<StepRecord> steps) {
    return toStep > 0 ? at(steps, toStep) : steps.isEmpty() ? null : steps.get(steps.size() - 1);
  }

  /** The record of a step; null if the run did not get so far. */
  private static StepRecord at(List<StepRecord> steps, long step) {
    return step == 0
        ? START
        : steps.stream().filter(one -> one.step() == step).findFirst().orElse(null);
  }
}
