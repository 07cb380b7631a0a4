package io.github.amb.plots.panel;

import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.Run;
import java.util.stream.DoubleStream;

/** Seconds a worker took for a gradient, induced delay included. */
final class HistComputeTime extends Histogram {
  HistComputeTime() {
    super("hist_compute_time", Quantity.COMPUTE_TIME, Quantity.SHARE_OF_GRADIENTS);
  }

  @Override
  DoubleStream values(Run run) {
    return run.workers().stream().mapToDouble(WorkerRecord::computeTime);
  }
}
