package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.record.WorkerRecord;

/**
 * The worker of every scheme in which a worker waits for the parameters of the next step: receive,
 * compute a gradient sum, send it with the number of its examples.
 */
final class SynchronousWorker {
  private final WorkerContext worker;
  private final Communicator communicator;
  private final BatchComputation computation;
  private final Frame parameters = new Frame();
  private final Frame gradient = new Frame();
  private long start;
  private long sendStart;
  private long sendEnd;
  private long received;

  SynchronousWorker(WorkerContext worker, Communicator communicator, BatchPolicy policy) {
    this.worker = worker;
    this.communicator = communicator;
    computation = new BatchComputation(worker, policy);
  }

  void run() {
    communicator.send(Communicator.MASTER, gradient.reset(Frame.Kind.READY, 0), Clock.NEVER);
    start = worker.clock().now();
    boolean first = true;
    while (receiveParameters()) {
      step(first);
      first = false;
    }
  }

  private boolean receiveParameters() {
    communicator.receive(Communicator.MASTER, parameters, Clock.NEVER);
    received = worker.clock().now();
    return parameters.kind() == Frame.Kind.PARAMETERS;
  }

  private void step(boolean first) {
    gradient.reset(Frame.Kind.GRADIENT, parameters.step());
    float[] sum = gradient.ensureCapacity(parameters.length());
    reportLastStep(first);
    computation.run(parameters.values(), parameters.step(), sum);
    gradient.examples(computation.examples());
    gradient.stat(GradientStats.LOSS_SUM, computation.lossSum());
    gradient.stat(GradientStats.PARTITIONS, computation.partitions());
    gradient.stat(GradientStats.SLEEP_TIME, computation.sleepTime());
    gradient.stat(GradientStats.COMPUTE_TIME, computation.computeTime());
    gradient.stat(GradientStats.EXHAUSTED, computation.exhausted() ? 1 : 0);
    sendStart = worker.clock().now();
    communicator.send(Communicator.MASTER, gradient, Clock.NEVER);
    sendEnd = worker.clock().now();
    log();
  }

  private void reportLastStep(boolean first) {
    long now = worker.clock().now();
    gradient.stat(GradientStats.LAST_SEND, first ? -1 : Clock.seconds(sendStart, sendEnd));
    gradient.stat(GradientStats.LAST_RECV, first ? -1 : Clock.seconds(sendEnd, received));
    gradient.stat(GradientStats.LAST_EXIT, first ? -1 : Clock.seconds(received, now));
  }

  private void log() {
    worker
        .log()
        .accept(
            new WorkerRecord(
                Clock.seconds(start, sendEnd),
                gradient.step(),
                worker.rank(),
                gradient.examples(),
                computation.partitions(),
                computation.exhausted(),
                gradient.stat(GradientStats.LAST_SEND),
                gradient.stat(GradientStats.LAST_RECV),
                gradient.stat(GradientStats.LAST_EXIT),
                computation.sleepTime(),
                computation.computeTime(),
                0));
  }
}
