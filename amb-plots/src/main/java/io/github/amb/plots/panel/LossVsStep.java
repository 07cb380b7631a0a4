package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Mean training loss of each step's examples. */
final class LossVsStep extends Curve {
  LossVsStep() {
    super("loss_vs_step", Quantity.STEP, Quantity.LOSS);
  }

  @Override
  boolean isNoisy() {
    return true;
  }

  @Override
  List<Point> points(Run run) {
    return run.steps().stream().map(record -> new Point(record.step(), record.loss())).toList();
  }
}
