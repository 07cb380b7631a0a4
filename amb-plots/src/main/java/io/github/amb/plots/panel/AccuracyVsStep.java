package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Test accuracy after a number of updates. */
final class AccuracyVsStep extends Curve {
  AccuracyVsStep() {
    super("accuracy_vs_step", Quantity.STEP, Quantity.ACCURACY);
  }

  @Override
  boolean isNoisy() {
    return true;
  }

  @Override
  List<Point> points(Run run) {
    return run.evaluations().stream()
        .map(record -> new Point(record.step(), record.accuracy()))
        .toList();
  }
}
