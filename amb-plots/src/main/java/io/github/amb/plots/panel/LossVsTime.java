package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Mean training loss of each step's examples, at the step's end. */
final class LossVsTime extends Curve {
  LossVsTime() {
    super("loss_vs_time", Quantity.TIME, Quantity.LOSS);
  }

  @Override
  boolean isNoisy() {
    return true;
  }

  @Override
  List<Point> points(Run run) {
    return run.steps().stream().map(record -> new Point(record.time(), record.loss())).toList();
  }
}
