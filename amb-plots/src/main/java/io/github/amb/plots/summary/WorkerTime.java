package io.github.amb.plots.summary;

import io.github.amb.core.record.WorkerRecord;
import java.util.List;

/**
 * Where the workers' time went: the sum over all workers and steps of the time that their records
 * account for.
 *
 * @param total seconds of computing, induced delay, sending and waiting
 * @param idle seconds of waiting for parameters: {@code last_recv + last_exit}
 * @param sleep seconds of induced delay
 */
record WorkerTime(double total, double idle, double sleep) {

  static WorkerTime of(List<WorkerRecord> records) {
    double total = 0;
    double idle = 0;
    double sleep = 0;
    for (WorkerRecord record : records) {
      double waited = measured(record.lastRecv()) + measured(record.lastExit());
      idle += waited;
      sleep += record.sleepTime();
      total += record.computeTime() + measured(record.lastSend()) + waited;
    }
    return new WorkerTime(total, idle, sleep);
  }

  /** Share of the total; NaN if nothing was recorded. */
  double idleShare() {
    return idle / total;
  }

  /** Share of the total; NaN if nothing was recorded. */
  double sleepShare() {
    return sleep / total;
  }

  /** A worker's first record has −1 for the times of the step before. */
  private static double measured(double seconds) {
    return Math.max(0, seconds);
  }
}
