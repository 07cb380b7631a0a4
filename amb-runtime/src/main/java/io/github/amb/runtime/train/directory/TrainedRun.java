package io.github.amb.runtime.train.directory;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a run has learned.
 *
 * @param steps its updates, in order
 * @param tests its evaluations, also by {@code amb evaluate}, in order
 * @param examples number of examples that updates have used, by worker
 * @param parameters the flat vector after the last step, or of the newest checkpoint if the run did
 *     not end with success; empty if there is none
 * @param directory the run's directory; null if there is none
 * @param stopped whether it was stopped before its end
 */
public record TrainedRun(
    List<StepRecord> steps,
    List<EvaluationRecord> tests,
    SortedMap<Integer, Long> examples,
    float[] parameters,
    Path directory,
    boolean stopped) {

  /**
   * Reads a run directory.
   *
   * @throws IOException if a file cannot be read, or the final parameters are damaged
   */
  public static TrainedRun read(RunDirectory run) throws IOException {
    RunInfo.Ending ending = run.read().ending();
    return read(run, ending != null && ending.exitCode() == ExitCode.STOPPED);
  }

  public static TrainedRun read(RunDirectory run, boolean stopped) throws IOException {
    List<LogRecord> records = run.recordsWithAllTests().records();
    SortedMap<Integer, Long> examples = new TreeMap<>();
    for (int worker : run.workers()) {
      examples.put(worker, 0L);
      run.workerRecords(worker, record -> examples.merge(worker, record.numSamples(), Long::sum));
    }
    Optional<Checkpoint> newest =
        FinalParameters.checkpoints(run).last(run.read().ending(), left -> {});
    return new TrainedRun(
        LogRecord.of(StepRecord.class, records),
        LogRecord.of(EvaluationRecord.class, records),
        examples,
        newest.isPresent() ? newest.get().parameters() : new float[0],
        run.path(),
        stopped);
  }

  /** The same for a run whose directory is removed. */
  public TrainedRun withoutDirectory() {
    return new TrainedRun(steps, tests, examples, parameters, null, stopped);
  }
}
