package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import java.util.Iterator;
import java.util.List;

/** A worker's communicator that loses results on their way, or breaks them. */
public final class FaultyLink extends ForwardingCommunicator {
  private final List<Fault> pending;
  private final ResultSteps steps = new ResultSteps();

  /**
   * @param pending faults of this worker's frames; each is removed when it has happened, so that
   *     the next epoch gets through
   */
  public FaultyLink(Communicator communicator, List<Fault> pending) {
    super(communicator);
    this.pending = pending;
  }

  /** Whether a fault is of what a rank's link carries, not of the rank. */
  public static boolean isOfLink(Fault fault) {
    return fault.kind() == Fault.Kind.DROP_FRAME || fault.kind() == Fault.Kind.CORRUPT_FRAME;
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    Fault fault = null;
    if (FaultInjector.isResult(frame)) {
      fault = due(frame.step());
      steps.sent(frame.step());
    }
    if (fault != null && fault.kind() == Fault.Kind.DROP_FRAME) {
      return;
    }
    if (fault != null && frame.length() > 0) {
      frame.ensureCapacity(frame.length() - 1);
    }
    super.send(to, frame, deadline);
  }

  private Fault due(long step) {
    for (Iterator<Fault> faults = pending.iterator(); faults.hasNext(); ) {
      Fault fault = faults.next();
      if (steps.isFirstSince(fault.step(), step)) {
        faults.remove();
        return fault;
      }
    }
    return null;
  }
}
