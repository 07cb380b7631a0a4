package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import java.nio.FloatBuffer;

/**
 * One worker's computation of one step: the induced delay, then partitions as the {@link
 * BatchPolicy} allows. The results are those of the last {@link #run}.
 */
final class BatchComputation {
  private final WorkerContext worker;
  private final BatchPolicy policy;
  private final int[] batch;
  private final Refresh refresh;
  private FloatBuffer partial;
  private long timeLimit;
  private long firstExample;
  private int examples;
  private int partitions;
  private double lossSum;
  private double partialLoss;
  private long sleepTime;
  private long computeTime;
  private boolean exhausted;
  private boolean givenUp;

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
    worker.state().register("order-" + worker.rank(), worker.order());
  }

  /** Replaces the policy's time limit, in nanoseconds. */
  void timeLimit(long nanos) {
    timeLimit = nanos;
  }

  /**
   * Computes a gradient sum.
   *
   * @param parameters the flat vector, from index 0 on; not modified, read until the end
   * @param step names the random streams
   * @param gradient receives the sum, from index 0 on; modified from the beginning
   */
  void run(FloatBuffer parameters, long step, FloatBuffer gradient) {
    run(parameters, step, gradient, true);
  }

  /** As {@link #run(FloatBuffer, long, FloatBuffer)}, with an induced delay or without. */
  void run(FloatBuffer parameters, long step, FloatBuffer gradient, boolean delayed) {
    Clock clock = worker.clock();
    long start = clock.now();
    long deadline = timeLimit == Clock.NEVER ? Clock.NEVER : start + timeLimit;
    if (delayed) {
      delay(step);
    }
    sleepTime = clock.now() - start;
    long drawSeed = worker.streams().seed("draw", worker.rank(), step);
    worker.source().begin(parameters, gradient, drawSeed);
    process(deadline, drawSeed, gradient);
    if (!givenUp) {
      worker.order().advance(examples);
    }
    computeTime = clock.now() - start;
  }

  private void delay(long step) {
    var random = worker.streams().stream("delay", worker.rank(), step);
    worker.clock().sleep(Clock.nanos(worker.delays().sample(random)));
  }

  private void process(long deadline, long drawSeed, FloatBuffer gradient) {
    worker.order().peek(batch);
    firstExample = worker.order().taken();
    examples = 0;
    partitions = 0;
    lossSum = 0;
    givenUp = false;
    int changes = 0;
    partition();
    while (examples < batch.length && worker.clock().now() < deadline) {
      FloatBuffer newer = refresh.newer();
      givenUp = refresh.stopped();
      if (givenUp) {
        break;
      }
      if (newer != null) {
        finish(gradient, changes);
        changes++;
        worker.source().begin(newer, partial(), drawSeed + changes);
      }
      partition();
    }
    finish(gradient, changes);
    exhausted =
        deadline != Clock.NEVER && examples == batch.length && worker.clock().now() < deadline;
  }

  private void partition() {
    int end = policy.partitionEnd(partitions);
    partialLoss += worker.source().accumulate(batch, examples, end);
    worker.clock().charge(Work.PARTITION, end - examples);
    examples = end;
    partitions++;
  }

  /** Ends the sum at one set of parameters, and adds it to those before it. */
  private void finish(FloatBuffer gradient, int sumsBefore) {
    if (sumsBefore == 0) {
      worker.source().finish(gradient);
      addLoss();
      return;
    }
    worker.source().finish(partial);
    addLoss();
    for (int i = 0; i < partial.capacity(); i++) {
      gradient.put(i, gradient.get(i) + partial.get(i));
    }
  }

  private FloatBuffer partial() {
    if (partial == null) {
      partial = FloatBuffer.allocate(worker.source().layout().size());
    }
    return partial;
  }

  /** Whether it has been stopped; its examples are not taken then, and its sum is of no use. */
  boolean givenUp() {
    return givenUp;
  }

  private void addLoss() {
    lossSum += partialLoss + worker.source().deferredLoss();
    partialLoss = 0;
  }

  /** Place of the first example in the worker's order, from 0. */
  long firstExample() {
    return firstExample;
  }

  int examples() {
    return examples;
  }

  /**
   * Whether the worker leaves the result out.
   *
   * @param step the master's
   * @param found what is not finite in it, and where
   */
  boolean leftOut(long step, String found) {
    return worker.nonFinite().leavesOut(worker.rank(), step, firstExample, examples, found);
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
