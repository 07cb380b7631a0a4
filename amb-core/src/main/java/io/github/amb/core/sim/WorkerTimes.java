package io.github.amb.core.sim;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.ResultRecord;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Speeds of workers that change from batch to batch, whatever the scheme asks of them. A {@link
 * Trace} repeats one scheme's run; these times also drive another.
 *
 * @param workers the batches of worker 1, 2, …; none of them is without a batch
 */
public record WorkerTimes(List<List<Batch>> workers) {
  /**
   * What a worker needed for a batch.
   *
   * @param sleep seconds of delay before it
   * @param perExample seconds of computing per example
   */
  public record Batch(double sleep, double perExample) {}

  /**
   * The results that a run has recorded, also those that no update used.
   *
   * @param count number of workers
   * @return of each worker; empty for one without records
   * @throws IOException if a log cannot be read
   */
  public static WorkerTimes of(RunDirectory run, int count) throws IOException {
    List<DropRecord> dropped = LogRecord.of(DropRecord.class, run.masterRecords());
    List<List<Batch>> workers = new ArrayList<>();
    for (int rank = 1; rank <= count; rank++) {
      workers.add(
          Trace.results(run, rank, dropped).stream()
              .filter(result -> Trace.isTimed(result) && result.numSamples() > 0)
              .map(WorkerTimes::batch)
              .toList());
    }
    return new WorkerTimes(workers);
  }

  private static Batch batch(ResultRecord result) {
    double sleep = Math.max(0, result.sleepTime());
    return new Batch(sleep, Math.max(0, result.computeTime() - sleep) / result.numSamples());
  }

  /** The times for one run; a worker begins again with its first batch after its last. */
  public RecordedTimes start() {
    int[] next = new int[workers.size()];
    return new RecordedTimes() {
      @Override
      public DelayModel delays(int rank) {
        List<Batch> batches = workers.get(rank - 1);
        return random -> batches.get(next[rank - 1]++ % batches.size()).sleep;
      }

      @Override
      public WorkTime workTime(WorkTime other) {
        return (rank, work, amount) -> {
          if (work != Work.PARTITION || rank == Communicator.MASTER) {
            return other.nanos(rank, work, amount);
          }
          List<Batch> batches = workers.get(rank - 1);
          int now = Math.max(0, next[rank - 1] - 1);
          return Clock.nanos(amount * batches.get(now % batches.size()).perExample);
        };
      }
    };
  }
}
