package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;

/**
 * The worker of every scheme in which a worker waits for parameters before each batch: receive,
 * compute a gradient sum, send it with the number of its examples.
 */
final class WaitingWorker {
  private final Communicator communicator;
  private final BatchComputation computation;
  private final ResultSender result;
  private final Frame parameters = new Frame();

  WaitingWorker(WorkerContext worker, Communicator communicator, BatchPolicy policy) {
    this.communicator = communicator;
    computation = new BatchComputation(worker, policy);
    result = new ResultSender(worker, communicator);
  }

  void run() {
    result.ready();
    while (receiveParameters()) {
      double timeLimit = parameters.stat(WorkerLinks.TIME_LIMIT);
      if (timeLimit > 0) {
        computation.timeLimit(Clock.nanos(timeLimit));
      }
      float[] sum = result.begin(Frame.Kind.GRADIENT, parameters.step(), parameters.length());
      computation.run(parameters.values(), parameters.step(), sum);
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
