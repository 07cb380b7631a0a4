package io.github.amb.plots.panel;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Panels against bytes on the network, as measured at the master, headers included. */
final class TrafficPanels {
  private static final double MEGABYTE = 1e6;

  static final List<Panel> ALL =
      List.of(
          Curve.measured(
              "accuracy_vs_bytes",
              Quantity.BYTES,
              Quantity.ACCURACY,
              sized(MasterPanels.evaluations(EvaluationRecord::step, EvaluationRecord::accuracy))),
          Curve.measured(
              "loss_vs_bytes",
              Quantity.BYTES,
              Quantity.LOSS,
              sized(MasterPanels.steps(StepRecord::step, StepRecord::loss))),
          Curve.counted(
              "bytes_vs_step",
              Quantity.STEP,
              Quantity.BYTES,
              MasterPanels.steps(StepRecord::step, step -> bytes(step) / MEGABYTE)),
          Bars.single(
              "bytes_per_update",
              Quantity.real("from workers per update (MB)"),
              perUpdate(StepRecord::bytesReceived)));

  private TrafficPanels() {}

  /** Bytes that the master has sent and received up to the end of a step. */
  static double bytes(StepRecord step) {
    return (double) step.bytesSent() + step.bytesReceived();
  }

  private static Function<Run, Double> perUpdate(ToDoubleFunction<StepRecord> bytes) {
    return run -> {
      StepRecord last = run.lastStep();
      return last == null || bytes(last) == 0
          ? Double.NaN
          : bytes.applyAsDouble(last) / last.step() / MEGABYTE;
    };
  }

  /**
   * Replaces the x of points, a step, by the bytes up to that step; no points if no bytes were
   * sent.
   */
  private static Function<Run, List<Point>> sized(Function<Run, List<Point>> byStep) {
    return run -> {
      TreeMap<Double, Double> sizes = new TreeMap<>();
      run.steps().forEach(step -> sizes.put((double) step.step(), bytes(step) / MEGABYTE));
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
