package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Examples processed after a number of updates. */
final class CumsumVsStep extends Curve {
  CumsumVsStep() {
    super("cumsum_vs_step", Quantity.STEP, Quantity.EXAMPLES);
  }

  @Override
  boolean isNoisy() {
    return false;
  }

  @Override
  List<Point> points(Run run) {
    return run.steps().stream()
        .map(record -> new Point(record.step(), record.totalSamples()))
        .toList();
  }
}
