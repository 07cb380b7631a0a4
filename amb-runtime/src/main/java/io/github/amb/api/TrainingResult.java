package io.github.amb.api;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.train.directory.TrainedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What a training has learned, and how. Immutable. */
public final class TrainingResult {
  private final TrainedRun run;

  TrainingResult(TrainedRun run) {
    this.run = run;
  }

  /**
   * The result in a run directory, of this interface or of {@code amb train}.
   *
   * @throws IOException if a file is missing or cannot be read, or the parameters of a complete run
   *     were damaged since
   */
  public static TrainingResult read(Path directory) throws IOException {
    return new TrainingResult(TrainedRun.read(new RunDirectory(directory)));
  }

  /**
   * Every update, in order: its time in seconds, training loss, learning rate, examples. Of more
   * than half a million records in a run directory, a part with the first and the last.
   */
  public List<StepRecord> steps() {
    return Collections.unmodifiableList(run.steps());
  }

  /** Every test, in order: its step, time in seconds, test loss and accuracy. */
  public List<EvaluationRecord> tests() {
    return Collections.unmodifiableList(run.tests());
  }

  /**
   * Accuracy of the last test, 0 to 1; NaN if there was none. If the network predicts numbers, the
   * share that is predicted with an error below ½.
   */
  public double finalAccuracy() {
    List<EvaluationRecord> tests = run.tests();
    return tests.isEmpty() ? Double.NaN : tests.get(tests.size() - 1).accuracy();
  }

  /** Highest accuracy of all tests, 0 to 1; NaN if there was none. */
  public double bestAccuracy() {
    return run.tests().stream().mapToDouble(EvaluationRecord::accuracy).max().orElse(Double.NaN);
  }

  /**
   * A copy of the flat parameter vector after the last step, running statistics included. If the
   * run did not end with success, it is that of the newest checkpoint. It is empty if there is
   * none, as without gradients.
   */
  public float[] parameters() {
    return run.parameters().clone();
  }

  /** Number of examples that updates have used, by worker from 1. */
  public SortedMap<Integer, Long> examplesPerWorker() {
    return Collections.unmodifiableSortedMap(run.examples());
  }

  /** The run's directory, which commands such as {@code amb plot} take; empty if it has none. */
  public Optional<Path> directory() {
    return Optional.ofNullable(run.directory());
  }

  /** Whether training was cancelled before its end. */
  public boolean isCancelled() {
    return run.stopped();
  }
}
