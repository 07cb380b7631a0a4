package io.github.amb.plots.panel;

import static io.github.amb.plots.panel.Quantity.ACCURACY;
import static io.github.amb.plots.panel.Quantity.EXAMPLES;
import static io.github.amb.plots.panel.Quantity.LEARNING_RATE;
import static io.github.amb.plots.panel.Quantity.LOSS;
import static io.github.amb.plots.panel.Quantity.SHARE_OF_UPDATES;
import static io.github.amb.plots.panel.Quantity.STEP;
import static io.github.amb.plots.panel.Quantity.TEST_LOSS;
import static io.github.amb.plots.panel.Quantity.TIME;

import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Panels of what the master recorded: updates, evaluations, and how gradients were gathered. */
final class MasterPanels {
  static final List<Panel> CURVES =
      List.of(
          Curve.measured("loss_vs_step", STEP, LOSS, steps(StepRecord::step, StepRecord::loss)),
          Curve.measured("loss_vs_time", TIME, LOSS, steps(StepRecord::time, StepRecord::loss)),
          Curve.measured(
              "accuracy_vs_step",
              STEP,
              ACCURACY,
              evaluations(EvaluationRecord::step, EvaluationRecord::accuracy)),
          Curve.measured(
              "accuracy_vs_time",
              TIME,
              ACCURACY,
              evaluations(EvaluationRecord::time, EvaluationRecord::accuracy)),
          Curve.counted(
              "cumsum_vs_step", STEP, EXAMPLES, steps(StepRecord::step, StepRecord::totalSamples)),
          Curve.counted("step_vs_time", TIME, STEP, steps(StepRecord::time, StepRecord::step)),
          Curve.counted(
              "learning_rate_vs_step",
              STEP,
              LEARNING_RATE,
              steps(StepRecord::step, StepRecord::learningRate)),
          Curve.counted(
              "cumsum_vs_time", TIME, EXAMPLES, steps(StepRecord::time, StepRecord::totalSamples)),
          Curve.measured(
              "test_loss_vs_step",
              STEP,
              TEST_LOSS,
              evaluations(EvaluationRecord::step, EvaluationRecord::testLoss)),
          Curve.measured(
              "test_loss_vs_time",
              TIME,
              TEST_LOSS,
              evaluations(EvaluationRecord::time, EvaluationRecord::testLoss)));

  static final List<Panel> HISTOGRAMS =
      List.of(
          new Histogram(
              "hist_total_samples",
              Quantity.whole("examples per update"),
              SHARE_OF_UPDATES,
              collections(CollectRecord::totalSamples)),
          new Histogram(
              "hist_worker_count",
              Quantity.whole("gradients per update"),
              SHARE_OF_UPDATES,
              collections(CollectRecord::workerCount)),
          new Histogram(
              "hist_wait_time",
              Quantity.real("first to last gradient of an update (s)"),
              SHARE_OF_UPDATES,
              collections(CollectRecord::waitTime)),
          new Histogram(
              "hist_master_round_time",
              Quantity.real("time between updates (s)"),
              SHARE_OF_UPDATES,
              MasterPanels::roundTimes));

  private MasterPanels() {}

  static Function<Run, List<Point>> steps(
      ToDoubleFunction<StepRecord> x, ToDoubleFunction<StepRecord> y) {
    return run -> points(run.steps(), x, y);
  }

  static Function<Run, List<Point>> evaluations(
      ToDoubleFunction<EvaluationRecord> x, ToDoubleFunction<EvaluationRecord> y) {
    return run -> points(run.evaluations(), x, y);
  }

  private static <T> List<Point> points(
      List<T> records, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    return records.stream()
        .map(record -> new Point(x.applyAsDouble(record), y.applyAsDouble(record)))
        .toList();
  }

  private static Function<Run, DoubleStream> collections(ToDoubleFunction<CollectRecord> value) {
    return run -> run.collections().stream().mapToDouble(value);
  }

  private static DoubleStream roundTimes(Run run) {
    List<StepRecord> steps = run.steps();
    return IntStream.range(0, steps.size())
        .filter(i -> !run.isThinned() || i == 0 || follows(steps.get(i - 1), steps.get(i)))
        .mapToDouble(i -> steps.get(i).time() - (i == 0 ? 0 : steps.get(i - 1).time()));
  }

  private static boolean follows(StepRecord before, StepRecord step) {
    return step.step() == before.step() + 1;
  }
}
