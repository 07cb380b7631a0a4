package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.record.WorkerRecord;

/**
 * Training in one process without messages, the baseline of every comparison: one worker's
 * computation followed by the master's update.
 */
public final class LocalTraining {
  private final MasterContext master;
  private final WorkerContext worker;
  private final BatchComputation computation;
  private final int[] ranks;

  /**
   * @param master what the update works with
   * @param worker what the gradient works with
   * @param policy how much of a batch one step computes
   */
  public LocalTraining(MasterContext master, WorkerContext worker, BatchPolicy policy) {
    this.master = master;
    this.worker = worker;
    computation = new BatchComputation(worker, policy);
    ranks = new int[] {worker.rank()};
  }

  /** Trains until a stop rule is reached. */
  public void run() {
    float[][] gradient = {new float[master.parameters().length]};
    Progress progress = new Progress(master);
    do {
      step(progress, gradient);
    } while (!progress.over());
    progress.finish();
  }

  private void step(Progress progress, float[][] gradient) {
    long step = progress.step() + 1;
    computation.run(master.parameters(), step, gradient[0]);
    long computed = master.clock().now();
    double learningRate = progress.update(gradient, ranks, 1, computation.examples());
    double updateTime = Clock.seconds(computed, master.clock().now());
    worker.log().accept(record(progress));
    progress.record(
        computation.lossSum(),
        learningRate,
        computation.examples(),
        new Progress.Cost(updateTime, 0, 0, 0));
  }

  private WorkerRecord record(Progress progress) {
    return new WorkerRecord(
        progress.time(),
        progress.step(),
        worker.rank(),
        computation.examples(),
        computation.partitions(),
        computation.exhausted(),
        0,
        0,
        0,
        computation.sleepTime(),
        computation.computeTime(),
        0);
  }
}
