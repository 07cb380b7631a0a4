package io.github.amb.core.sim;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded run's delays, computing times and example counts, which drive a virtual cluster: every
 * worker sleeps, computes and stops as it did then. Made for one run, as it keeps count.
 *
 * <p>Of a step's partitions the last takes all of the step's computing time and those before it
 * none, so that a time limit strikes exactly where it did. A worker that computes more often than
 * it was recorded to, as one whose last gradient came too late, repeats its last step.
 */
public final class Trace {
  private final RunDirectory run;
  private final List<WorkerTrace> workers = new ArrayList<>();

  private Trace(RunDirectory run) {
    this.run = run;
  }

  /**
   * Reads the workers' logs of a run.
   *
   * @param workers number of workers
   * @throws UsageException if a worker has no records
   * @throws IOException if a log cannot be read
   */
  public static Trace read(RunDirectory run, int workers) throws IOException {
    Trace trace = new Trace(run);
    for (int rank = 1; rank <= workers; rank++) {
      List<WorkerRecord> steps =
          run.workerRecords(rank).stream()
              .filter(WorkerRecord.class::isInstance)
              .map(WorkerRecord.class::cast)
              .toList();
      if (steps.isEmpty()) {
        throw new UsageException(
            "%s: expected records of worker %d, found none; replay needs a run with %d workers"
                .formatted(run.workerLog(rank), rank, workers));
      }
      trace.workers.add(trace.new WorkerTrace(rank, steps));
    }
    return trace;
  }

  /** Gives worker {@code rank} its recorded delays, one after the other. */
  public DelayModel delays(int rank) {
    return random -> workers.get(rank - 1).next();
  }

  /**
   * Times of recorded computations; other work takes as long as {@code other} says.
   *
   * @param other prices everything but partitions
   */
  public WorkTime workTime(WorkTime other) {
    return (rank, work, amount) ->
        work == Work.PARTITION
            ? workers.get(rank - 1).partition(amount)
            : other.nanos(rank, work, amount);
  }

  /** One worker's records, and where it stands in them. */
  private final class WorkerTrace {
    private final int rank;
    private final List<WorkerRecord> steps;
    private int index = -1;
    private WorkerRecord step;
    private int partitions;
    private long examples;

    WorkerTrace(int rank, List<WorkerRecord> steps) {
      this.rank = rank;
      this.steps = steps;
    }

    /** Starts the next step: its delay in seconds. */
    double next() {
      index++;
      step = steps.get(Math.min(index, steps.size() - 1));
      partitions = 0;
      examples = 0;
      return step.sleepTime();
    }

    /** Nanoseconds of the step's next partition. */
    long partition(long amount) {
      partitions++;
      examples += amount;
      boolean last = partitions >= step.partitions();
      if (last && examples != step.numSamples()) {
        throw new UsageException(
            "%s: worker %d, step %d: expected %d examples in %d partitions, found %d in %d; replay with the run's own batch size and partitions"
                .formatted(
                    run.path(),
                    rank,
                    step.masterStep(),
                    step.numSamples(),
                    step.partitions(),
                    examples,
                    partitions));
      }
      return last ? Clock.nanos(step.computeTime()) - Clock.nanos(step.sleepTime()) : 0;
    }
  }
}
