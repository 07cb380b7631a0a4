package io.github.amb.runtime.train.directory;

import io.github.amb.core.file.Disk;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordSink;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.train.part.RunParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A run without files: keeps steps, tests and parameters in memory. */
public final class MemoryOutput implements RunOutput, RecordSink {
  private final List<StepRecord> steps = new ArrayList<>();
  private final List<EvaluationRecord> tests = new ArrayList<>();
  private final SortedMap<Integer, Long> examples = new TreeMap<>();
  private float[] parameters = {};

  @Override
  public RecordSink records(RunParts run, Disk disk, Consumer<String> warnings) {
    return this;
  }

  /** Called by one thread at a time. */
  @Override
  public void accept(LogRecord record) {
    if (record instanceof StepRecord step) {
      steps.add(step);
    } else if (record instanceof EvaluationRecord test) {
      tests.add(test);
    } else if (record instanceof WorkerRecord worker) {
      examples.merge(worker.rank(), worker.numSamples(), Long::sum);
    }
  }

  @Override
  public void begin(Map<String, String> facts, float[] parameters) {
    this.parameters = parameters;
  }

  @Override
  public void sync() {
    // There is no disk.
  }

  @Override
  public void close() {
    // Nothing is pending.
  }

  /**
   * What the run has learned; called after its end.
   *
   * @param stopped whether it was stopped before its end
   */
  public TrainedRun result(boolean stopped) {
    return new TrainedRun(steps, tests, examples, parameters.clone(), null, stopped);
  }
}
