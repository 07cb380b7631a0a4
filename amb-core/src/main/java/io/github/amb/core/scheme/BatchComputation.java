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
  private final Refresh refresh;
  private float[] partial;
  private long timeLimit;
  private int examples;
  private int partitions;
  private double lossSum;
  private long sleepTime;
  private long computeTime;
  private boolean exhausted;

  BatchComputation(WorkerContext worker, BatchPolicy policy) {
    this(worker, policy, Refresh.NEVER);
  }

  /**
   * @param refresh where newer parameters come from between partitions
   */
  BatchComputation(WorkerContext worker, BatchPolicy policy, Refresh refresh) {
    this.worker = worker;
    this.policy = policy;
    this.refresh = refresh;
    timeLimit = policy.timeLimit();
    batch = new int[policy.batchSize()];
  }

  /** Replaces the policy's time limit, in nanoseconds. */
  void timeLimit(long nanos) {
    timeLimit = nanos;
  }

  /**
   * Computes a gradient sum.
   *
   * @param parameters the flat vector; not modified
   * @param step names the random streams
   * @param gradient receives the sum; modified
   */
  void run(float[] parameters, long step, float[] gradient) {
    run(parameters, step, gradient, true);
  }

  /** As {@link #run(float[], long, float[])}, with an induced delay or without. */
  void run(float[] parameters, long step, float[] gradient, boolean delayed) {
    Clock clock = worker.clock();
    long start = clock.now();
    long deadline = timeLimit == Clock.NEVER ? Clock.NEVER : start + timeLimit;
    if (delayed) {
      delay(step);
    }
    sleepTime = clock.now() - start;
    long drawSeed = worker.streams().seed("draw", worker.rank(), step);
    worker.source().begin(parameters, drawSeed);
    process(deadline, drawSeed, gradient);
    worker.order().advance(examples);
    computeTime = clock.now() - start;
  }

  private void delay(long step) {
    var random = worker.streams().stream("delay", worker.rank(), step);
    worker.clock().sleep(Clock.nanos(worker.delays().sample(random)));
  }

  private void process(long deadline, long drawSeed, float[] gradient) {
    worker.order().peek(batch);
    examples = 0;
    partitions = 0;
    lossSum = 0;
    int changes = 0;
    partition();
    while (examples < batch.length && worker.clock().now() < deadline) {
      float[] newer = refresh.newer();
      if (refresh.stopped()) {
        break;
      }
      if (newer != null) {
        finish(gradient, changes);
        changes++;
        worker.source().begin(newer, drawSeed + changes);
      }
      partition();
    }
    finish(gradient, changes);
    exhausted =
        deadline != Clock.NEVER && examples == batch.length && worker.clock().now() < deadline;
  }

  private void partition() {
    int end = policy.partitionEnd(partitions);
    lossSum += worker.source().accumulate(batch, examples, end);
    worker.clock().charge(Work.PARTITION, end - examples);
    examples = end;
    partitions++;
  }

  /** Ends the sum at one set of parameters, and adds it to those before it. */
  private void finish(float[] gradient, int sumsBefore) {
    if (sumsBefore == 0) {
      worker.source().finish(gradient);
      return;
    }
    if (partial == null) {
      partial = new float[worker.source().layout().size()];
    }
    worker.source().finish(partial);
    for (int i = 0; i < partial.length; i++) {
      gradient[i] += partial[i];
    }
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
