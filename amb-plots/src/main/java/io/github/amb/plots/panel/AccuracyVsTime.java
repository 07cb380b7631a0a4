package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Test accuracy of the parameters made at a time. */
final class AccuracyVsTime extends Curve {
  AccuracyVsTime() {
    super("accuracy_vs_time", Quantity.TIME, Quantity.ACCURACY);
  }

  @Override
  boolean isNoisy() {
    return true;
  }

  @Override
  List<Point> points(Run run) {
    return run.evaluations().stream()
        .map(record -> new Point(record.time(), record.accuracy()))
        .toList();
  }
}
