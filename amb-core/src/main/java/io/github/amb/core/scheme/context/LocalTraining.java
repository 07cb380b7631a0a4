package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.update.NonFiniteGradientException;
import java.nio.FloatBuffer;

/**
 * Training in one process without messages, the baseline of every comparison: one worker's
 * computation followed by the master's update.
 */
public final class LocalTraining {
  private final MasterContext master;
  private final WorkerContext worker;
  private final BatchComputation computation;
  private final long timeLimit;
  private final FloatBuffer parameters;
  private final FloatBuffer[] gradients;
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
    timeLimit = policy.timeLimit();
    parameters = FloatBuffer.wrap(master.parameters());
    gradients = new FloatBuffer[] {FloatBuffer.allocate(master.parameters().length)};
    ranks = new int[] {worker.rank()};
  }

  /** Trains until a stop rule is reached. */
  public void run() {
    MasterProgress progress = new MasterProgress(master);
    while (!progress.over()) {
      step(progress);
    }
    progress.finish();
  }

  private void step(MasterProgress progress) {
    long step = progress.step() + 1;
    computation.run(parameters, step, gradients[0], true, timeLimit);
    long computed = master.clock().now();
    double learningRate = progress.learningRate();
    long examples = update(progress, step);
    double updateTime = Clock.seconds(computed, master.clock().now());
    worker.log().accept(record(progress, examples));
    progress.log(StepRecord.GRADIENT_NORM, master.update().gradientNorm());
    progress.record(
        examples > 0 ? computation.lossSum() : 0,
        learningRate,
        examples,
        new MasterProgress.Cost(updateTime, 0, 0, 0));
  }

  /** Returns how many examples count: none if the result is left out. */
  private long update(MasterProgress progress, long step) {
    long examples = computation.examples();
    if (!Double.isFinite(computation.lossSum())
        && computation.leftOut(step, "loss " + computation.lossSum())) {
      progress.update(gradients, ranks, 1, 0);
      return 0;
    }
    try {
      progress.update(gradients, ranks, 1, examples);
      return examples;
    } catch (NonFiniteGradientException e) {
      if (!computation.leftOut(step, e.found())) {
        throw e.of(computation.firstExample(), examples);
      }
      progress.update(gradients, ranks, 1, 0);
      return 0;
    }
  }

  private WorkerRecord record(MasterProgress progress, long examples) {
    return new WorkerRecord(
        progress.time(),
        progress.step(),
        worker.rank(),
        examples,
        computation.partitions(),
        computation.exhausted(),
        0,
        0,
        0,
        computation.sleepTime(),
        computation.computeTime(),
        0,
        0);
  }
}
