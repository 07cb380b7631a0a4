package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import java.nio.FloatBuffer;
import java.util.function.LongPredicate;

/**
 * One worker's computation of one gradient sum: the induced delay, then partitions of the next
 * batch as the {@link BatchPolicy} cuts them. The results are those of the last computation.
 */
public final class BatchComputation {
  private final WorkerContext worker;
  private final BatchPolicy policy;
  private final int[] batch;
  private LongPredicate pause;
  private FloatBuffer sum;
  private FloatBuffer partial;
  private long start;
  private long deadline;
  private long drawSeed;
  private int changes;
  private long firstExample;
  private int examples;
  private int partitions;
  private double lossSum;
  private double partialLoss;
  private long sleepTime;
  private long computeTime;
  private boolean exhausted;

  BatchComputation(WorkerContext worker, BatchPolicy policy) {
    this.worker = worker;
    this.policy = policy;
    batch = new int[policy.batchSize()];
    worker.state().register("order-" + worker.rank(), worker.order());
  }

  /**
   * Lets delays and partitions be waited for, and not be charged.
   *
   * @param pause waits for some nanoseconds, if only 0; false if the computation is to be given up,
   *     in which case no further partition is computed
   */
  void interruptible(LongPredicate pause) {
    this.pause = pause;
  }

  /** Lets the next batch be number {@code index} of the worker's order, from 0. */
  public void seek(long index) {
    worker.order().seek(index * policy.batchSize());
  }

  /**
   * Computes a gradient sum over the next batch, or over what the time limit allows of it.
   *
   * @param parameters the flat vector, from index 0 on; not modified, read until the end
   * @param number names the random streams
   * @param gradient receives the sum, from index 0 on; modified from the beginning
   * @param delayed whether with an induced delay
   * @param timeLimit nanoseconds from now on; {@link Clock#NEVER} for none
   */
  public void run(
      FloatBuffer parameters, long number, FloatBuffer gradient, boolean delayed, long timeLimit) {
    begin(parameters, number, gradient, delayed, timeLimit);
    do {
      computePartition();
    } while (hasTime());
    end();
  }

  /** Begins a computation as {@link #run} does; at least one partition follows, then its end. */
  void begin(
      FloatBuffer parameters, long number, FloatBuffer gradient, boolean delayed, long timeLimit) {
    Clock clock = worker.clock();
    long delay =
        delayed ? delay(number) : 0; // The first one takes time to draw, which is no delay.
    start = clock.now();
    deadline = timeLimit == Clock.NEVER ? Clock.NEVER : start + timeLimit;
    if (delayed && pause == null) {
      clock.sleep(delay);
    } else if (delayed) {
      pause.test(delay);
    }
    sleepTime = delay > 0 ? clock.now() - start : 0;
    drawSeed = worker.streams().seed("draw", worker.rank(), number);
    sum = gradient;
    worker.source().begin(parameters, gradient, drawSeed);
    worker.order().peek(batch);
    firstExample = worker.order().taken();
    examples = 0;
    partitions = 0;
    lossSum = 0;
    changes = 0;
  }

  private long delay(long number) {
    var random = worker.streams().stream("delay", worker.rank(), number);
    return Clock.nanos(worker.delays().sample(random));
  }

  /** Adds the gradients of the next partition to the sum. */
  void computePartition() {
    int end = policy.partitionEnd(partitions);
    long cost = pause == null ? 0 : worker.clock().cost(Work.PARTITION, end - examples);
    if (pause != null && !pause.test(cost)) {
      return;
    }
    partialLoss += worker.source().accumulate(batch, examples, end);
    if (cost == 0) {
      worker.clock().charge(Work.PARTITION, end - examples);
    }
    examples = end;
    partitions++;
  }

  /** Whether neither the batch nor the time limit is exhausted. */
  boolean hasTime() {
    return examples < batch.length && worker.clock().now() < deadline;
  }

  /** Continues the sum at other parameters. */
  void continueAt(FloatBuffer newer) {
    finishSum();
    changes++;
    worker.source().begin(newer, partial(), drawSeed + changes);
  }

  /** Ends the computation; its examples count as taken. */
  void end() {
    finishSum();
    boolean all = examples == batch.length;
    exhausted = deadline != Clock.NEVER && all && worker.clock().now() < deadline;
    worker.order().advance(examples);
    computeTime = worker.clock().now() - start;
  }

  /** Ends the computation; its examples are not taken, and its sum is of no use. */
  void giveUp() {
    finishSum();
  }

  /** Ends the sum at one set of parameters, and adds it to those before it. */
  private void finishSum() {
    if (changes == 0) {
      worker.source().finish(sum);
      addLoss();
      return;
    }
    worker.source().finish(partial);
    addLoss();
    for (int i = 0; i < partial.capacity(); i++) {
      sum.put(i, sum.get(i) + partial.get(i));
    }
  }

  private FloatBuffer partial() {
    if (partial == null) {
      partial = FloatBuffer.allocate(worker.source().layout().size());
    }
    return partial;
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
