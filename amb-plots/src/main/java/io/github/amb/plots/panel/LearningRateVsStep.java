package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import java.util.List;

/** Learning rate of each update. */
final class LearningRateVsStep extends Curve {
  LearningRateVsStep() {
    super("learning_rate_vs_step", Quantity.STEP, Quantity.LEARNING_RATE);
  }

  @Override
  boolean isNoisy() {
    return false;
  }

  @Override
  List<Point> points(Run run) {
    return run.steps().stream()
        .map(record -> new Point(record.step(), record.learningRate()))
        .toList();
  }
}
