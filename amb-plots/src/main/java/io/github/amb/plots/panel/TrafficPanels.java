package io.github.amb.plots.panel;

import static io.github.amb.plots.panel.MasterPanels.steps;
import static io.github.amb.plots.panel.MasterPanels.tests;
import static io.github.amb.plots.panel.Quantity.ACCURACY;
import static io.github.amb.plots.panel.Quantity.BYTES;
import static io.github.amb.plots.panel.Quantity.EXAMPLES;
import static io.github.amb.plots.panel.Quantity.LOSS;
import static io.github.amb.plots.panel.Quantity.STEP;
import static io.github.amb.plots.panel.Quantity.TEST_LOSS;

import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Panels against what updates have used: bytes on the network, as measured at the master, headers
 * included, and examples.
 */
final class TrafficPanels {
  private static final double MEGABYTE = 1e6;

  static final List<Panel> AGAINST_EXAMPLES =
      against("examples", EXAMPLES, StepRecord::totalSamples);

  static final List<Panel> ALL =
      Stream.concat(
              against("bytes", BYTES, step -> bytes(step) / MEGABYTE).stream(),
              Stream.of(
                  Curve.counted(
                      "bytes_vs_step", STEP, BYTES, steps(s -> s.step(), s -> bytes(s) / MEGABYTE)),
                  Bars.single(
                      "bytes_per_update",
                      Quantity.real("from workers per update (MB)"),
                      TrafficPanels::perUpdate)))
          .toList();

  private TrafficPanels() {}

  /** Bytes that the master has sent and received up to the end of a step. */
  static double bytes(StepRecord step) {
    return (double) step.bytesSent() + step.bytesReceived();
  }

  private static double perUpdate(Run run) {
    StepRecord last = run.lastStep();
    return last == null || bytes(last) == 0
        ? Double.NaN
        : (double) last.bytesReceived() / last.step() / MEGABYTE;
  }

  private static List<Panel> against(String name, Quantity x, ToDoubleFunction<StepRecord> used) {
    return List.of(
        Curve.measured(
            "accuracy_vs_" + name, x, ACCURACY, at(used, tests(t -> t.step(), t -> t.accuracy()))),
        Curve.measured("loss_vs_" + name, x, LOSS, at(used, steps(s -> s.step(), s -> s.loss()))),
        Curve.measured(
            "test_loss_vs_" + name,
            x,
            TEST_LOSS,
            at(used, tests(t -> t.step(), t -> t.testLoss()))));
  }

  /** Replaces the x of points, a step, by what is used up to it; no points before anything is. */
  private static Function<Run, List<Point>> at(
      ToDoubleFunction<StepRecord> used, Function<Run, List<Point>> byStep) {
    return run -> {
      TreeMap<Double, Double> sizes = new TreeMap<>();
      run.steps().forEach(step -> sizes.put((double) step.step(), used.applyAsDouble(step)));
      List<Point> points = new ArrayList<>();
      for (Point point : byStep.apply(run)) {
        Map.Entry<Double, Double> size = sizes.floorEntry(point.x());
        if (size != null && size.getValue() > 0) {
          points.add(new Point(size.getValue(), point.y()));
        }
      }
      return points;
    };
  }
}
