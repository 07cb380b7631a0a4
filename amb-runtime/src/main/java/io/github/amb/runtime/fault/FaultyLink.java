package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A worker's communicator that loses, corrupts, duplicates or delays results. */
public final class FaultyLink extends ForwardingCommunicator {
  private static final Set<Fault.Kind> KINDS =
      EnumSet.of(
          Fault.Kind.CORRUPT_MESSAGE,
          Fault.Kind.WRONG_KIND,
          Fault.Kind.DROP_MESSAGE,
          Fault.Kind.DUPLICATE_MESSAGE,
          Fault.Kind.LATE_MESSAGE);

  private final List<Fault> pending;
  private final ResultSteps steps = new ResultSteps();
  private Message late; // null unless the next message is to overtake it

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
  public void send(int to, Message message, long deadline) {
    Message overtaken = late;
    late = null;
    Fault fault = message.isResult() ? due(message.step()) : null;
    if (fault == null) {
      super.send(to, message, deadline);
    } else {
      happen(fault.kind(), to, message, deadline);
    }
    if (overtaken != null) {
      super.send(to, overtaken, deadline);
    }
  }

  private void happen(Fault.Kind fault, int to, Message message, long deadline) {
    switch (fault) {
      case CORRUPT_MESSAGE -> {
        if (message.length() > 0) {
          message.ensureCapacity(message.length() - 1);
        }
        super.send(to, message, deadline);
      }
      case WRONG_KIND -> {
        boolean delta = message.kind() == Message.Kind.DELTA;
        super.send(to, copy(message, delta ? Message.Kind.GRADIENT : Message.Kind.DELTA), deadline);
      }
      case DUPLICATE_MESSAGE -> {
        Message again = copy(message, message.kind());
        super.send(to, message, deadline);
        super.send(to, again, deadline);
      }
      case LATE_MESSAGE -> late = copy(message, message.kind());
      default -> {
        // The message is lost.
      }
    }
  }

  /** A copy of a message, as the memory of a payload is returned after sending. */
  private static Message copy(Message message, Message.Kind kind) {
    Message copy = new Message().reset(kind, message.step());
    copy.examples(message.examples());
    copy.numbers(message.numbers());
    message.payload().get(0, copy.ensureCapacity(message.length()), 0, message.length());
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
