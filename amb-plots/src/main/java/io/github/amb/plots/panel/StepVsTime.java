package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Updates applied after a time. */
final class StepVsTime extends Curve {
  StepVsTime() {
    super("step_vs_time", Quantity.TIME, Quantity.STEP);
  }

  @Override
  boolean isNoisy() {
    return false;
  }

  @Override
  List<Point> points(Run run) {
    return run.steps().stream().map(record -> new Point(record.time(), record.step())).toList();
  }
}
