package io.github.amb.plots.run;

import io.github.amb.core.record.WorkerRecord;
import java.util.List;

/**
 * The workers' time by use: the sum over all workers and steps of the seconds in their records.
 *
 * @param total seconds of computing, induced delay, sending and waiting
 * @param idle seconds of waiting for parameters: {@code last_recv + last_exit}
 * @param compute seconds of computing, induced delay included
 * @param sleep seconds of induced delay
 */
public record WorkerTime(double total, double idle, double compute, double sleep) {
  /** No time at all. */
  public static final WorkerTime NONE = new WorkerTime(0, 0, 0, 0);

  /** The sum of two times. */
  public WorkerTime plus(WorkerTime other) {
    return new WorkerTime(
        total + other.total, idle + other.idle, compute + other.compute, sleep + other.sleep);
  }

  /** Sums records of one or more workers. */
  public static WorkerTime of(List<WorkerRecord> records) {
    double total = 0;
    double idle = 0;
    double compute = 0;
    double sleep = 0;
    for (WorkerRecord record : records) {
      double waited = measured(record.lastRecv()) + measured(record.lastExit());
      idle += waited;
      compute += record.computeTime();
      sleep += record.sleepTime();
      total += record.computeTime() + measured(record.lastSend()) + waited;
    }
    return new WorkerTime(total, idle, compute, sleep);
  }

  /** Share of the total spent waiting for parameters, 0 to 1; NaN if nothing was recorded. */
  public double idleShare() {
    return idle / total;
  }

  /** Share of the total spent in induced delay, 0 to 1; NaN if nothing was recorded. */
  public double sleepShare() {
    return sleep / total;
  }

  /**
   * Share of the total spent computing, induced delay included, 0 to 1; NaN if nothing was
   * recorded.
   */
  public double computeShare() {
    return compute / total;
  }

  /** Replaces −1, for the times of the step before in a worker's first record, by 0. */
  private static double measured(double seconds) {
    return Math.max(0, seconds);
  }
}
