package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.StepRecord;

/** Where training stands: applies updates, keeps count, records steps, and knows when to stop. */
final class Progress {
  private final MasterContext master;
  private final long start;
  private long step;
  private long totalSamples;

  /** Training starts now. */
  Progress(MasterContext master) {
    this.master = master;
    start = master.clock().now();
  }

  /** Updates applied. */
  long step() {
    return step;
  }

  /** Seconds since training started. */
  double time() {
    return Clock.seconds(start, master.clock().now());
  }

  /** Times and byte counts of a step that the update itself does not know. */
  record Cost(double updateTime, double sendTime, long bytesSent, long bytesReceived) {}

  private double epochs() {
    return (double) totalSamples / master.trainingExamples();
  }

  /**
   * Applies one update.
   *
   * @param gradients gradient sums in rank order; the first is overwritten
   * @param ranks which rank each came from; not modified
   * @return the learning rate used
   */
  double update(float[][] gradients, int[] ranks, long examples) {
    double learningRate = master.schedule().learningRate(step, epochs());
    master
        .update()
        .apply(master.parameters(), gradients, ranks, ranks.length, examples, learningRate);
    master.clock().charge(Work.UPDATE, master.parameters().length);
    step++;
    totalSamples += examples;
    return learningRate;
  }

  /** Records the update just applied, and offers its parameters for evaluation. */
  void record(double lossSum, double learningRate, long examples, Cost cost) {
    double time = time();
    double loss = lossSum / examples;
    master
        .log()
        .accept(
            new StepRecord(
                time,
                step,
                loss,
                learningRate,
                examples,
                totalSamples,
                cost.updateTime(),
                cost.sendTime(),
                cost.bytesSent(),
                cost.bytesReceived()));
    if (!Double.isFinite(loss)) {
      throw new ArithmeticException(
          "step %d: the training loss is %s; training diverged: lower --learning-rate"
              .formatted(step, loss));
    }
    master.evaluator().offer(time, step, master.parameters());
  }

  /** Whether a stop rule has been reached. */
  boolean over() {
    return master
        .stop()
        .reached(step, epochs(), start, master.clock().now(), master.evaluator().bestAccuracy());
  }

  /** Evaluates the last parameters. */
  void finish() {
    master.evaluator().last(time(), step, master.parameters());
  }
}
