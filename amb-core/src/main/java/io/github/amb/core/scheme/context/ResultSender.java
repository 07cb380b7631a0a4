package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Result;
import java.nio.FloatBuffer;

/** A worker's results on their way to the master, with how long everything took. */
public final class ResultSender {
  private final WorkerContext worker;
  private final Communicator communicator;
  private final Frame frame = new Frame();
  private final Result result = frame.asResult();
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
    communicator.send(Communicator.MASTER, frame.reset(Frame.Kind.READY, 0), Clock.NEVER);
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
  public float[] begin(Frame.Kind kind, long step, int length) {
    begin(kind, step);
    return frame.ensureCapacity(length);
  }

  /** As {@link #begin}; the values may go to the engine's own memory. */
  FloatBuffer beginInPlace(Frame.Kind kind, long step, int length) {
    begin(kind, step);
    if (!communicator.lend(Communicator.MASTER, frame, length)) {
      frame.ensureCapacity(length);
    }
    return frame.payload();
  }

  private void begin(Frame.Kind kind, long step) {
    frame.reset(kind, step);
    long now = worker.clock().now();
    if (first) {
      result.last(-1, -1, -1);
    } else {
      result.last(
          Clock.seconds(sendStart, sendEnd),
          Clock.seconds(sendEnd, received),
          Clock.seconds(received, now));
    }
  }

  /** Lets this result's values be summed with those of all other workers on their way. */
  void reduce() {
    frame.reduce();
  }

  /** Counts a computation as part of this result; its loss counts {@code weight} times. */
  public void add(BatchComputation computation, double weight) {
    place(computation.firstExample());
    frame.examples(frame.examples() + computation.examples());
    result.lossSum(result.lossSum() + weight * computation.lossSum());
    result.partitions(result.partitions() + computation.partitions());
    result.sleepTime(result.sleepTime() + computation.sleepTime());
    result.computeTime(result.computeTime() + computation.computeTime());
    if (computation.exhausted()) {
      result.exhausted();
    }
  }

  /** Notes where a computation's examples are, which are one after the other. */
  private void place(long place) {
    if (result.examples() == 0) {
      result.firstExample(place);
    } else if (place != result.firstExample() + result.examples()) {
      result.firstExample(-1);
    }
  }

  /**
   * Notes how many local updates this result is of.
   *
   * @param computeTime seconds from the first one's start to the last one's end, in place of those
   *     of the computations alone
   */
  void localSteps(int count, double computeTime) {
    result.localSteps(count);
    result.computeTime(computeTime);
  }

  /** Sends the result and logs it. */
  public void send() {
    sendStart = worker.clock().now();
    communicator.send(Communicator.MASTER, frame, Clock.NEVER);
    sendEnd = worker.clock().now();
    first = false;
    double time = Clock.seconds(start, sendEnd);
    worker.log().accept(Progress.record(result, time, frame.step(), worker.rank(), 0, 0));
  }
}
