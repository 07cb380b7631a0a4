package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import java.util.List;

/** A worker's communicator that loses results on their way, as a network might. */
public final class FrameDropper extends ForwardingCommunicator {
  private final List<Fault> pending;

  /**
   * @param pending this worker's frames to lose; each is removed when it has been lost, so that the
   *     next epoch gets through
   */
  public FrameDropper(Communicator communicator, List<Fault> pending) {
    super(communicator);
    this.pending = pending;
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    boolean lost =
        FaultInjector.isResult(frame) && pending.removeIf(fault -> fault.step() == frame.step());
    if (!lost) {
      super.send(to, frame, deadline);
    }
  }
}
