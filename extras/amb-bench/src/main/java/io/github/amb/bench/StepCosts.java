package io.github.amb.bench;

import io.github.amb.bench.harness.Sample;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The costs of each step of a run, from its records. */
record StepCosts(List<Step> steps) {
  /**
   * One step; all times in seconds.
   *
   * @param time from the end of the previous step to the end of this one
   * @param compute the slowest worker's computation
   * @param send the master's sending of parameters
   * @param gather from then until the last gradient arrived
   * @param update the master's update
   * @param workerSend the slowest worker's sending of its gradient
   */
  record Step(
      double time, double compute, double send, double gather, double update, double workerSend) {
    /** Seconds other than computation. */
    double overhead() {
      return time - compute;
    }

    /**
     * Seconds of waiting for gradients beyond the slowest computation: both messages and wake-ups.
     */
    double transfer() {
      return gather - compute;
    }

    /** Seconds other than sending, waiting and updating: records, console, counters. */
    double rest() {
      return time - send - gather - update;
    }
  }

  /**
   * The steps of a run after the first {@code warmUp}, without the last one, whose workers' send
   * times are not recorded.
   *
   * @param warmUp at least 1, as the first step has no previous one
   */
  static StepCosts of(RunDirectory run, int workers, int warmUp) throws IOException {
    List<StepRecord> masters = LogRecord.of(StepRecord.class, run.masterRecords());
    List<List<WorkerRecord>> records = new ArrayList<>();
    for (int rank = 1; rank <= workers; rank++) {
      records.add(LogRecord.of(WorkerRecord.class, run.workerRecords(rank)));
    }
    List<Step> steps = new ArrayList<>();
    for (int i = warmUp; i < masters.size() - 1; i++) {
      StepRecord master = masters.get(i);
      steps.add(
          new Step(
              master.time() - masters.get(i - 1).time(),
              slowest(records, i, WorkerRecord::computeTime),
              master.sendTime(),
              slowest(records, i, WorkerRecord::masterWaitTime),
              master.updateTime(),
              slowest(records, i + 1, WorkerRecord::lastSend)));
    }
    return new StepCosts(steps);
  }

  private static double slowest(
      List<List<WorkerRecord>> records, int step, ToDoubleFunction<WorkerRecord> time) {
    return records.stream().mapToDouble(w -> time.applyAsDouble(w.get(step))).max().orElseThrow();
  }

  /** One cost, in seconds, of every step. */
  Sample sample(ToDoubleFunction<Step> cost) {
    return Sample.of(steps.stream().mapToDouble(cost).toArray());
  }
}
