package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import java.nio.FloatBuffer;

/**
 * A worker that never waits for the master: it computes batch after batch, and changes over to the
 * newest parameters that have come between partitions, keeping the gradient sum so far. A result
 * bears the step of the oldest parameters in its sum.
 */
final class DelayedWorker implements Refresh {
  private final Communicator communicator;
  private final HoldingInbox inbox;
  private final BatchComputation computation;
  private final ResultSender result;
  private final Frame taken = new Frame();
  private Frame parameters = new Frame();
  private Frame spare = new Frame();
  private boolean stopped;

  DelayedWorker(
      WorkerContext worker, Communicator communicator, BatchPolicy policy, double delayStd) {
    this.communicator = communicator;
    inbox = new HoldingInbox(communicator, worker.clock(), worker.streams(), delayStd);
    computation = new BatchComputation(worker, policy, this);
    result = new ResultSender(worker, communicator);
  }

  void run() {
    result.ready();
    take(inbox.receive(spare, Clock.NEVER));
    for (long batch = 1; !stopped; batch++) {
      result.received();
      FloatBuffer sum =
          result.beginInPlace(Frame.Kind.GRADIENT, parameters.step(), parameters.length());
      computation.run(parameters.payload(), batch, sum);
      if (!stopped) {
        result.add(computation);
        result.send();
        newer();
      }
    }
    communicator.send(Communicator.MASTER, taken.reset(Frame.Kind.STOP, 0), Clock.NEVER);
  }

  @Override
  public FloatBuffer newer() {
    boolean news = false;
    Frame frame = inbox.receive(spare, HoldingInbox.NOW);
    while (frame != null) {
      news |= take(frame);
      frame = inbox.receive(spare, HoldingInbox.NOW);
    }
    return news ? parameters.payload() : null;
  }

  @Override
  public boolean stopped() {
    return stopped;
  }

  /** Takes a frame in; true if it has newer parameters. The spare is the other one then. */
  private boolean take(Frame frame) {
    spare = frame;
    if (frame.kind() == Frame.Kind.STOP) {
      stopped = true;
      return false;
    }
    communicator.send(
        Communicator.MASTER, taken.reset(Frame.Kind.TAKEN, frame.step()), Clock.NEVER);
    if (frame.step() <= parameters.step()) {
      return false;
    }
    spare = parameters;
    parameters = frame;
    return true;
  }
}
