package io.github.amb.plots.watch;

import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.WorkerTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What the page shows of one worker. */
final class WatchedWorker {
  private static final int RECENT = 30;

  private final Deque<WorkerRecord> recent = new ArrayDeque<>();
  private WorkerTime time = WorkerTime.NONE;
  private long results;
  private long examples;
  private long dropped;

  void add(WorkerRecord record) {
    recent.add(record);
    if (recent.size() > RECENT) {
      recent.remove();
    }
    time = time.plus(WorkerTime.of(record));
    results++;
    examples += record.numSamples();
  }

  void addDrop() {
    dropped++;
  }

  /** Examples per second of computation in the newest results; NaN if there are none. */
  double speed() {
    double seconds = recent.stream().mapToDouble(WorkerRecord::computeTime).sum();
    return recent.stream().mapToLong(WorkerRecord::numSamples).sum() / seconds;
  }

  List<WorkerRecord> recent() {
    return new ArrayList<>(recent);
  }

  /**
   * One row of the page's table.
   *
   * @param rank of this worker
   * @param fastest speed of the fastest worker, in examples per second
   * @param present whether the worker is a member
   */
  Row row(int rank, double fastest, boolean present) {
    return new Row(
        rank,
        present,
        results,
        dropped,
        examples,
        speed(),
        speed() / fastest,
        time.computeShare() - time.sleepShare(),
        time.sleepShare(),
        time.idleShare());
  }

  /**
   * One row of the page's table.
   *
   * @param speed examples per second of computation, induced delay included
   * @param relativeSpeed speed divided by the fastest worker's
   * @param computeShare share of the worker's time for gradients, 0 to 1
   * @param sleepShare share of induced delay
   * @param idleShare share of waiting for parameters
   */
  record Row(
      int rank,
      boolean present,
      long results,
      long dropped,
      long examples,
      double speed,
      double relativeSpeed,
      double computeShare,
      double sleepShare,
      double idleShare) {}
}
