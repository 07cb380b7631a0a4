package io.github.amb.plots.panel;

import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.Run;
import java.util.stream.DoubleStream;

/** Examples in a worker's gradient. */
final class HistBatchSize extends Histogram {
  HistBatchSize() {
    super("hist_batch_size", Quantity.BATCH_SIZE, Quantity.SHARE_OF_GRADIENTS);
  }

  @Override
  DoubleStream values(Run run) {
    return run.workers().stream().mapToDouble(WorkerRecord::numSamples);
  }
}
