package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A worker's communicator that loses, corrupts, duplicates or delays results. */
public final class FaultyLink extends ForwardingCommunicator {
  private static final Set<Fault.Kind> KINDS =
      EnumSet.of(
          Fault.Kind.CORRUPT_FRAME,
          Fault.Kind.WRONG_KIND,
          Fault.Kind.DROP_FRAME,
          Fault.Kind.DUPLICATE_FRAME,
          Fault.Kind.LATE_FRAME);

  private final List<Fault> pending;
  private final ResultSteps steps = new ResultSteps();
  private Frame late; // null unless the next message is to overtake it

  /**
   * @param communicator the wrapped one
   * @param pending faults of this worker's messages; each is removed when it has happened, so that
   *     it does not happen again in the next generation
   */
  public FaultyLink(Communicator communicator, List<Fault> pending) {
    super(communicator);
    this.pending = pending;
  }

  /** Whether a fault affects a rank's link, not the rank. */
  public static boolean isOfLink(Fault fault) {
    return KINDS.contains(fault.kind());
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    Frame overtaken = late;
    late = null;
    Fault fault = frame.isResult() ? due(frame.step()) : null;
    if (fault == null) {
      super.send(to, frame, deadline);
    } else {
      happen(fault.kind(), to, frame, deadline);
    }
    if (overtaken != null) {
      super.send(to, overtaken, deadline);
    }
  }

  private void happen(Fault.Kind fault, int to, Frame frame, long deadline) {
    switch (fault) {
      case CORRUPT_FRAME -> {
        if (frame.length() > 0) {
          frame.ensureCapacity(frame.length() - 1);
        }
        super.send(to, frame, deadline);
      }
      case WRONG_KIND -> {
        boolean delta = frame.kind() == Frame.Kind.DELTA;
        super.send(to, copy(frame, delta ? Frame.Kind.GRADIENT : Frame.Kind.DELTA), deadline);
      }
      case DUPLICATE_FRAME -> {
        Frame again = copy(frame, frame.kind());
        super.send(to, frame, deadline);
        super.send(to, again, deadline);
      }
      case LATE_FRAME -> late = copy(frame, frame.kind());
      default -> {
        // The message is lost.
      }
    }
  }

  /** A copy of a message, as the memory of a payload is returned after sending. */
  private static Frame copy(Frame frame, Frame.Kind kind) {
    Frame copy = new Frame().reset(kind, frame.step());
    copy.examples(frame.examples());
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      copy.stat(i, frame.stat(i));
    }
    frame.payload().get(0, copy.ensureCapacity(frame.length()), 0, frame.length());
    return copy;
  }

  /** The fault that affects the result of this step, or null. */
  private Fault due(long step) {
    Fault found = null;
    for (Iterator<Fault> faults = pending.iterator(); found == null && faults.hasNext(); ) {
      Fault fault = faults.next();
      if (steps.isFirstSince(fault.step(), step)) {
        faults.remove();
        found = fault;
      }
    }
    steps.sent(step);
    return found;
  }
}
