package io.github.amb.plots.panel;

import static io.github.amb.plots.panel.Curve.measured;
import static io.github.amb.plots.panel.Quantity.ACCURACY;
import static io.github.amb.plots.panel.Quantity.EXAMPLES;
import static io.github.amb.plots.panel.Quantity.LEARNING_RATE;
import static io.github.amb.plots.panel.Quantity.LOSS;
import static io.github.amb.plots.panel.Quantity.SHARE_OF_UPDATES;
import static io.github.amb.plots.panel.Quantity.STEP;
import static io.github.amb.plots.panel.Quantity.TEST_LOSS;
import static io.github.amb.plots.panel.Quantity.TIME;
import static io.github.amb.plots.panel.Quantity.real;
import static io.github.amb.plots.panel.Quantity.whole;

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
          measured("loss_vs_step", STEP, LOSS, steps(s -> s.step(), s -> s.loss())),
          measured("loss_vs_time", TIME, LOSS, steps(s -> s.time(), s -> s.loss())),
          measured("accuracy_vs_step", STEP, ACCURACY, tests(t -> t.step(), t -> t.accuracy())),
          measured("accuracy_vs_time", TIME, ACCURACY, tests(t -> t.time(), t -> t.accuracy())),
          counts("cumsum_vs_step", STEP, EXAMPLES, s -> s.step(), s -> s.totalSamples()),
          counts("step_vs_time", TIME, STEP, s -> s.time(), s -> s.step()),
          counts(
              "learning_rate_vs_step", STEP, LEARNING_RATE, s -> s.step(), s -> s.learningRate()),
          counts("cumsum_vs_time", TIME, EXAMPLES, s -> s.time(), s -> s.totalSamples()),
          measured("test_loss_vs_step", STEP, TEST_LOSS, tests(t -> t.step(), t -> t.testLoss())),
          measured("test_loss_vs_time", TIME, TEST_LOSS, tests(t -> t.time(), t -> t.testLoss())));

  /** The loss at each rate, of runs with the schedule {@code range}. */
  static final Panel RANGE =
      measured(
          "lr_range",
          real("log10 of the learning rate"),
          LOSS,
          steps(s -> Math.log10(s.learningRate()), s -> s.loss()));

  static final List<Panel> HISTOGRAMS =
      List.of(
          updates(
              "hist_total_samples", whole("examples per update"), gathered(c -> c.totalSamples())),
          updates(
              "hist_worker_count", whole("gradients per update"), gathered(c -> c.workerCount())),
          updates(
              "hist_wait_time",
              real("first to last gradient of an update (s)"),
              gathered(c -> c.waitTime())),
          updates(
              "hist_master_round_time",
              real("time between updates (s)"),
              MasterPanels::roundTimes));

  private MasterPanels() {}

  /** The panels of a metric of tests or updates, {@code NAME_vs_step} and {@code NAME_vs_time}. */
  static List<Panel> metric(String name) {
    Quantity y = real(name.replace('_', ' '));
    return List.of(
        measured(name + "_vs_step", STEP, y, metric(name, t -> t.step(), s -> s.step())),
        measured(name + "_vs_time", TIME, y, metric(name, t -> t.time(), s -> s.time())));
  }

  private static Function<Run, List<Point>> metric(
      String name, ToDoubleFunction<EvaluationRecord> ofTest, ToDoubleFunction<StepRecord> ofStep) {
    var tested = tests(ofTest, t -> t.metrics().getOrDefault(name, Double.NaN));
    var logged = steps(ofStep, s -> s.metrics().getOrDefault(name, Double.NaN));
    return run ->
        run.evaluations().stream().anyMatch(test -> test.metrics().containsKey(name))
            ? tested.apply(run)
            : logged.apply(run);
  }

  private static Panel counts(
      String name,
      Quantity x,
      Quantity y,
      ToDoubleFunction<StepRecord> ofX,
      ToDoubleFunction<StepRecord> ofY) {
    return Curve.counted(name, x, y, steps(ofX, ofY));
  }

  private static Panel updates(String name, Quantity x, Function<Run, DoubleStream> values) {
    return new Histogram(name, x, SHARE_OF_UPDATES, values);
  }

  static Function<Run, List<Point>> steps(
      ToDoubleFunction<StepRecord> x, ToDoubleFunction<StepRecord> y) {
    return run -> points(run.steps(), x, y);
  }

  static Function<Run, List<Point>> tests(
      ToDoubleFunction<EvaluationRecord> x, ToDoubleFunction<EvaluationRecord> y) {
    return run -> points(run.evaluations(), x, y);
  }

  private static <T> List<Point> points(
      List<T> records, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    return records.stream()
        .map(record -> new Point(x.applyAsDouble(record), y.applyAsDouble(record)))
        .toList();
  }

  private static Function<Run, DoubleStream> gathered(ToDoubleFunction<CollectRecord> value) {
    return run -> run.collections().stream().mapToDouble(value);
  }

  private static DoubleStream roundTimes(Run run) {
    List<StepRecord> steps = run.steps();
    return IntStream.range(0, steps.size())
        .filter(
            i -> !run.isThinned() || i == 0 || steps.get(i).step() == steps.get(i - 1).step() + 1)
        .mapToDouble(i -> steps.get(i).time() - (i == 0 ? 0 : steps.get(i - 1).time()));
  }
}
