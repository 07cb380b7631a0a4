package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * Bytes of all generations of a run, before and after a resume. The communicator of a generation
 * may be a new one, which counts from 0, or have the count of the checkpoint.
 */
final class Traffic implements Checkpointed {
  private final Communicator communicator;
  private long sentBefore;
  private long receivedBefore;

  Traffic(Communicator communicator) {
    this.communicator = communicator;
  }

  @Override
  public void visit(StateVisitor state) {
    sentBefore = state.integer("sent", sent()) - communicator.bytesSent();
    receivedBefore = state.integer("received", received()) - communicator.bytesReceived();
  }

  /** Bytes that this rank has sent. */
  long sent() {
    return sentBefore + communicator.bytesSent();
  }

  /** Bytes that this rank has received. */
  long received() {
    return receivedBefore + communicator.bytesReceived();
  }
}
