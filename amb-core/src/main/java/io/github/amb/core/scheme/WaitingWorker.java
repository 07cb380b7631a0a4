package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import java.nio.FloatBuffer;

/**
 * The worker of every scheme in which a worker waits for parameters before each batch: receive,
 * compute a gradient sum, send it with the number of its examples.
 */
final class WaitingWorker {
  private final Communicator communicator;
  private final BatchComputation computation;
  private final ResultSender result;
  private final Frame parameters = new Frame();
  private final boolean awaited;

  WaitingWorker(WorkerContext worker, Communicator communicator, BatchPolicy policy) {
    this(worker, communicator, policy, false);
  }

  private WaitingWorker(
      WorkerContext worker, Communicator communicator, BatchPolicy policy, boolean awaited) {
    this.communicator = communicator;
    this.awaited = awaited;
    computation = new BatchComputation(worker, policy);
    result = new ResultSender(worker, communicator);
  }

  /** A worker of a scheme in which every step waits for one result of each worker. */
  static WaitingWorker awaited(
      WorkerContext worker, Communicator communicator, BatchPolicy policy) {
    return new WaitingWorker(worker, communicator, policy, true);
  }

  void run() {
    result.ready();
    while (receiveParameters()) {
      double timeLimit = parameters.stat(WorkerLinks.TIME_LIMIT);
      if (timeLimit > 0) {
        computation.timeLimit(Clock.nanos(timeLimit));
      }
      FloatBuffer sum =
          result.beginInPlace(Frame.Kind.GRADIENT, parameters.step(), parameters.length());
      if (awaited && communicator.reduces(parameters.length())) {
        result.reduce();
      }
      computation.run(parameters.payload(), parameters.step(), sum);
      parameters.release();
      result.add(computation);
      result.send();
    }
  }

  private boolean receiveParameters() {
    communicator.receive(Communicator.MASTER, parameters, Clock.NEVER);
    result.received();
    return parameters.kind() == Frame.Kind.PARAMETERS;
  }
}
