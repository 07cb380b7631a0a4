package io.github.amb.plots.run;

import io.github.amb.core.record.WorkerRecord;

/**
 * The workers' time by use: the sum over all workers and steps of the seconds in their records.
 *
 * @param total seconds of computing, induced delay, sending and waiting
 * @param idle seconds of waiting for parameters: {@code last_recv + last_exit}
 * @param compute seconds of computing, induced delay included
 * @param sleep seconds of induced delay
 * @param send seconds of sending
 * @param gradients number of records
 * @param knowsIdle whether a record has a time of waiting
 * @param knowsSleep whether a record has a time of induced delay
 * @param knowsSend whether a record has a time of sending
 */
public record WorkerTime(
    double total,
    double idle,
    double compute,
    double sleep,
    double send,
    long gradients,
    boolean knowsIdle,
    boolean knowsSleep,
    boolean knowsSend) {
  /** No time at all. */
  public static final WorkerTime NONE = new WorkerTime(0, 0, 0, 0, 0, 0, false, false, false);

  /** The sum of two times. */
  public WorkerTime plus(WorkerTime other) {
    return new WorkerTime(
        total + other.total,
        idle + other.idle,
        compute + other.compute,
        sleep + other.sleep,
        send + other.send,
        gradients + other.gradients,
        knowsIdle || other.knowsIdle,
        knowsSleep || other.knowsSleep,
        knowsSend || other.knowsSend);
  }

  /** The time of one gradient. */
  public static WorkerTime of(WorkerRecord record) {
    double waited = measured(record.lastRecv()) + measured(record.lastExit());
    return new WorkerTime(
        record.computeTime() + measured(record.lastSend()) + waited,
        waited,
        record.computeTime(),
        measured(record.sleepTime()),
        measured(record.lastSend()),
        1,
        Math.max(record.lastRecv(), record.lastExit()) >= 0,
        record.sleepTime() >= 0,
        record.lastSend() >= 0);
  }

  /** The time of all workers of a run. */
  public static WorkerTime of(Run run) {
    return run.times().values().stream().reduce(NONE, WorkerTime::plus);
  }

  /** Seconds of computing, induced delay not included. */
  public double computing() {
    return compute - sleep;
  }

  /** Share of the total spent waiting for parameters, 0 to 1; NaN if none was recorded. */
  public double idleShare() {
    return knowsIdle ? idle / total : Double.NaN;
  }

  /** Share of the total spent in induced delay, 0 to 1; NaN if none was recorded. */
  public double sleepShare() {
    return knowsSleep ? sleep / total : Double.NaN;
  }

  /**
   * Share of the total spent computing, induced delay included, 0 to 1; NaN if nothing was
   * recorded.
   */
  public double computeShare() {
    return compute / total;
  }

  /** Replaces −1, for what was not recorded, by 0. */
  private static double measured(double seconds) {
    return Math.max(0, seconds);
  }
}
