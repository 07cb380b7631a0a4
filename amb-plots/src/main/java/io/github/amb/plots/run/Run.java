package io.github.amb.plots.run;

import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The records of a run, in memory; of a very long one, a part of them.
 *
 * @param directory the run directory
 * @param info {@code run.json}
 * @param master the master's records, in the order written
 * @param workers the workers' records, by rank, then in the order written
 * @param times each worker's time by use, from all of its records
 * @param workerCount number of workers that have a log, or the configured number if that is more; 0
 *     if unknown
 * @param isThinned whether records were left out, as {@link io.github.amb.core.record.ThinnedLog}
 *     does it: of each kind, every second one follows its neighbor
 */
public record Run(
    RunDirectory directory,
    RunInfo info,
    List<LogRecord> master,
    List<WorkerRecord> workers,
    SortedMap<Integer, WorkerTime> times,
    int workerCount,
    boolean isThinned) {

  /** A run with all of its records. */
  public Run(
      RunDirectory directory,
      RunInfo info,
      List<LogRecord> master,
      List<WorkerRecord> workers,
      int workerCount) {
    this(directory, info, master, workers, times(workers), workerCount, false);
  }

  private static SortedMap<Integer, WorkerTime> times(List<WorkerRecord> workers) {
    return workers.stream()
        .collect(
            Collectors.groupingBy(
                WorkerRecord::rank,
                TreeMap::new,
                Collectors.reducing(WorkerTime.NONE, WorkerTime::of, WorkerTime::plus)));
  }

  /** The updates, in the order written. */
  public List<StepRecord> steps() {
    return LogRecord.of(StepRecord.class, master);
  }

  /** The evaluations, in the order written. */
  public List<EvaluationRecord> evaluations() {
    return LogRecord.of(EvaluationRecord.class, master);
  }

  /** How each update was gathered, in the order written. */
  public List<CollectRecord> collections() {
    return LogRecord.of(CollectRecord.class, master);
  }

  /** The update of the highest number; null if there is none. */
  public StepRecord lastStep() {
    return steps().stream().max(Comparator.comparingLong(StepRecord::step)).orElse(null);
  }

  /** The workers' records by rank, each in the order written. */
  public SortedMap<Integer, List<WorkerRecord>> workersByRank() {
    return workers.stream()
        .collect(Collectors.groupingBy(WorkerRecord::rank, TreeMap::new, Collectors.toList()));
  }

  /** Start of the run in milliseconds since 1970; 0 if unknown. */
  public long startMillis() {
    try {
      return Instant.parse(Objects.toString(info.started(), "")).toEpochMilli();
    } catch (DateTimeParseException e) {
      return 0;
    }
  }

  /** The run's name: its id, or its folder's name if it has none. */
  public String id() {
    return info.id() == null || info.id().isBlank()
        ? directory.path().toAbsolutePath().normalize().getFileName().toString()
        : info.id();
  }

  /** Whether the times are those of a virtual cluster. */
  public boolean isVirtual() {
    return info.configured("engine", "").equals("sim");
  }

  /** Whether one process trained alone, without messages. */
  public boolean isStandalone() {
    return info.configured("workers", "").equals("0");
  }

  /** Whether workers had examples of different classes. */
  public boolean isNonIid() {
    return info.configured("shards", "").equals("by-class")
        || info.configured("split-by-class", "0").equals("1");
  }

  /** Whether the run recorded neither a step nor an evaluation. */
  public boolean isEmpty() {
    return steps().isEmpty() && evaluations().isEmpty();
  }
}
