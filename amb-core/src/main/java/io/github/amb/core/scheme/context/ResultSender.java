package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.nio.FloatBuffer;

/** A worker's results on their way to the master, with how long everything took. */
public final class ResultSender implements Checkpointed {
  private final WorkerContext worker;
  private final Communicator communicator;
  private final Message message = new Message();
  private final Message counts = new Message(); // of what is computed for the next result
  private final Result result = counts.asResult();
  private boolean first = true;
  private long start;
  private long received;
  private long sendStart;
  private long sendEnd;

  ResultSender(WorkerContext worker, Communicator communicator) {
    this.worker = worker;
    this.communicator = communicator;
    worker.state().registerOfRounds("times", this);
  }

  @Override
  public void visit(StateVisitor state) {
    first = state.integer("first", first ? 1 : 0) == 1;
    start = state.integer("start", start);
    received = state.integer("received", received);
    sendStart = state.integer("send-start", sendStart);
    sendEnd = state.integer("send-end", sendEnd);
  }

  /** Tells the master that this worker is ready; training starts now. */
  void ready() {
    communicator.send(Communicator.MASTER, message.reset(Message.Kind.READY, 0), Clock.NEVER);
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
  public float[] begin(Message.Kind kind, long step, int length) {
    begin(kind, step);
    return message.ensureCapacity(length);
  }

  /** As {@link #begin}; the values may go to the engine's own memory. */
  FloatBuffer beginInPlace(Message.Kind kind, long step, int length) {
    begin(kind, step);
    if (!communicator.lend(Communicator.MASTER, message, length)) {
      message.ensureCapacity(length);
    }
    return message.payload();
  }

  private void begin(Message.Kind kind, long step) {
    message.reset(kind, step);
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
    message.reduce();
  }

  /** Counts a computation as part of this result; its loss counts {@code weight} times. */
  public void add(BatchComputation computation, double weight) {
    place(computation.firstExample());
    counts.examples(counts.examples() + computation.examples());
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
    localSteps(count);
    result.computeTime(computeTime);
  }

  /** Counts seconds as computation. */
  void addTime(double seconds) {
    result.computeTime(result.computeTime() + seconds);
  }

  /** Notes how many local updates this result is of. */
  void localSteps(int count) {
    result.localSteps(count);
  }

  /** Visits what is computed for the next result, before it begins. */
  void visitCounts(StateVisitor state) {
    counts.examples(state.integer("examples", counts.examples()));
    for (int i = 0; i < Message.MAX_STATS; i++) {
      counts.stat(i, state.real("stat-" + i, counts.stat(i)));
    }
  }

  /** Sends the result and logs it. */
  public void send() {
    sendStart = worker.clock().now();
    message.counts(counts);
    counts.reset(Message.Kind.READY, 0); // The state that goes with a message is that after it.
    communicator.send(Communicator.MASTER, message, Clock.NEVER);
    sendEnd = worker.clock().now();
    first = false;
    double time = Clock.seconds(start, sendEnd);
    worker
        .log()
        .accept(
            MasterProgress.record(message.asResult(), time, message.step(), worker.rank(), 0, 0));
  }
}
