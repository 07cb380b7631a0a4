package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;

/**
 * One worker's computation of one step: the induced delay, then partitions as the {@link
 * BatchPolicy} allows. The results are those of the last {@link #run}.
 */
final class BatchComputation {
  private final WorkerContext worker;
  private final BatchPolicy policy;
  private final int[] batch;
  private int examples;
  private int partitions;
  private double lossSum;
  private long sleepTime;
  private long computeTime;
  private boolean exhausted;

  BatchComputation(WorkerContext worker, BatchPolicy policy) {
    this.worker = worker;
    this.policy = policy;
    batch = new int[policy.batchSize()];
  }

  /**
   * Computes a gradient sum.
   *
   * @param parameters the flat vector; not modified
   * @param gradient receives the sum; modified
   */
  void run(float[] parameters, long step, float[] gradient) {
    Clock clock = worker.clock();
    long start = clock.now();
    long deadline = policy.deadline(start);
    delay(step);
    sleepTime = clock.now() - start;
    worker.source().begin(parameters, worker.streams().seed("draw", worker.rank(), step));
    process(deadline);
    worker.source().finish(gradient);
    worker.order().advance(examples);
    computeTime = clock.now() - start;
  }

  private void delay(long step) {
    var random = worker.streams().stream("delay", worker.rank(), step);
    worker.clock().sleep(Clock.nanos(worker.delays().sample(random)));
  }

  private void process(long deadline) {
    worker.order().peek(batch);
    examples = 0;
    partitions = 0;
    lossSum = 0;
    do {
      int end = policy.partitionEnd(partitions);
      lossSum += worker.source().accumulate(batch, examples, end);
      worker.clock().charge(Work.PARTITION, end - examples);
      examples = end;
      partitions++;
    } while (examples < batch.length && worker.clock().now() < deadline);
    exhausted = deadline != Clock.NEVER && worker.clock().now() < deadline;
  }

  int examples() {
    return examples;
  }

  int partitions() {
    return partitions;
  }

  double lossSum() {
    return lossSum;
  }

  /** Seconds of induced delay. */
  double sleepTime() {
    return sleepTime / Clock.NANOS_PER_SECOND;
  }

  /** Seconds from start to end, induced delay included. */
  double computeTime() {
    return computeTime / Clock.NANOS_PER_SECOND;
  }

  /** Whether a time limit was set and the batch ran out before it. */
  boolean exhausted() {
    return exhausted;
  }
}
