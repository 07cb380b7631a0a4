package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import java.nio.FloatBuffer;

/** A worker's results on their way to the master, with how long everything took. */
final class ResultSender {
  private final WorkerContext worker;
  private final Communicator communicator;
  private final Frame result = new Frame();
  private boolean first = true;
  private long start;
  private long received;
  private long sendStart;
  private long sendEnd;

  ResultSender(WorkerContext worker, Communicator communicator) {
    this.worker = worker;
    this.communicator = communicator;
  }

  /** Tells the master that this worker is ready; training starts now. */
  void ready() {
    communicator.send(Communicator.MASTER, result.reset(Frame.Kind.READY, 0), Clock.NEVER);
    start = worker.clock().now();
  }

  /** Notes that the parameters of the next result have come. */
  void received() {
    received = worker.clock().now();
  }

  /**
   * Starts a result.
   *
   * @param step the step of the parameters
   * @return where its {@code length} values go; unspecified at first
   */
  float[] begin(Frame.Kind kind, long step, int length) {
    begin(kind, step);
    return result.ensureCapacity(length);
  }

  /** As {@link #begin}; the values may go to the engine's own memory. */
  FloatBuffer beginInPlace(Frame.Kind kind, long step, int length) {
    begin(kind, step);
    if (!communicator.lend(Communicator.MASTER, result, length)) {
      result.ensureCapacity(length);
    }
    return result.payload();
  }

  private void begin(Frame.Kind kind, long step) {
    result.reset(kind, step);
    long now = worker.clock().now();
    result.stat(GradientStats.LAST_SEND, first ? -1 : Clock.seconds(sendStart, sendEnd));
    result.stat(GradientStats.LAST_RECV, first ? -1 : Clock.seconds(sendEnd, received));
    result.stat(GradientStats.LAST_EXIT, first ? -1 : Clock.seconds(received, now));
  }

  /** Lets this result's values be summed with those of all other workers on their way. */
  void reduce() {
    result.reduce();
  }

  /** Counts a computation as part of this result. */
  void add(BatchComputation computation) {
    add(computation, 1);
  }

  /** As {@link #add(BatchComputation)}; its loss counts {@code weight} times. */
  void add(BatchComputation computation, double weight) {
    place(computation.firstExample());
    result.examples(result.examples() + computation.examples());
    add(GradientStats.LOSS_SUM, weight * computation.lossSum());
    add(GradientStats.PARTITIONS, computation.partitions());
    add(GradientStats.SLEEP_TIME, computation.sleepTime());
    add(GradientStats.COMPUTE_TIME, computation.computeTime());
    if (computation.exhausted()) {
      result.stat(GradientStats.EXHAUSTED, 1);
    }
  }

  /** Notes where a computation's examples are, which are one after the other. */
  private void place(long first) {
    if (result.examples() == 0) {
      result.stat(GradientStats.FIRST_EXAMPLE, first);
    } else if (first != result.stat(GradientStats.FIRST_EXAMPLE) + result.examples()) {
      result.stat(GradientStats.FIRST_EXAMPLE, -1);
    }
  }

  /**
   * Says how many local updates this result is of.
   *
   * @param computeTime seconds from the first one's start to the last one's end, in place of those
   *     of the computations alone
   */
  void localSteps(int count, double computeTime) {
    result.stat(GradientStats.LOCAL_STEPS, count);
    result.stat(GradientStats.COMPUTE_TIME, computeTime);
  }

  private void add(int stat, double value) {
    result.stat(stat, result.stat(stat) + value);
  }

  /** Sends the result and logs it. */
  void send() {
    sendStart = worker.clock().now();
    communicator.send(Communicator.MASTER, result, Clock.NEVER);
    sendEnd = worker.clock().now();
    first = false;
    worker
        .log()
        .accept(
            GradientStats.record(
                result, Clock.seconds(start, sendEnd), result.step(), worker.rank(), 0, 0));
  }
}
