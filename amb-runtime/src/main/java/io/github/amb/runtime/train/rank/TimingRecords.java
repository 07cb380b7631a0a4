package io.github.amb.runtime.train.rank;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.util.function.Consumer;

/** Passes on the records of a run without gradients: drops evaluations, and sets losses to NaN. */
record TimingRecords(Consumer<? super LogRecord> log) implements Consumer<LogRecord> {
  @Override
  public void accept(LogRecord record) {
    if (record instanceof StepRecord step) {
      log.accept(withoutLoss(step));
    } else if (!(record instanceof EvaluationRecord)) {
      log.accept(record);
    }
  }

  private static StepRecord withoutLoss(StepRecord step) {
    return new StepRecord(
        step.time(),
        step.step(),
        Double.NaN,
        step.learningRate(),
        step.numSamples(),
        step.totalSamples(),
        step.updateTime(),
        step.sendTime(),
        step.bytesSent(),
        step.bytesReceived());
  }
}
