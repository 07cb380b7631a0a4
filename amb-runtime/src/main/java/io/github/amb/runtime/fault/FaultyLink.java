package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import java.util.List;

/**
 * A worker's communicator that loses, corrupts, duplicates or delays results, or a slice of one.
 */
public final class FaultyLink extends ForwardingCommunicator {
  private final RankFaults faults;
  private final Clock clock;
  private Message late; // null unless the next message is to overtake it
  private int lateTo;

  /**
   * @param communicator the wrapped one
   * @param faults of this worker; each occurrence happens once, whatever the generation
   * @param clock of the engine
   */
  public FaultyLink(Communicator communicator, RankFaults faults, Clock clock) {
    super(communicator);
    this.faults = faults;
    this.clock = clock;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    Message overtaken = late;
    int overtakenTo = lateTo;
    late = null;
    List<Fault> due =
        isHit(message)
            ? faults.due(Fault.Place.LINK, message.step(), Clock.seconds(0, clock.now()))
            : List.of();
    if (due.isEmpty()) {
      super.send(to, message, deadline);
    } else {
      happen(due.get(0).kind(), to, message, deadline);
    }
    if (overtaken != null) {
      super.send(overtakenTo, overtaken, deadline);
    }
  }

  /** In slices, what a worker sends to others, and not the numbers without a vector. */
  private static boolean isHit(Message message) {
    return message.kind() == Message.Kind.ADDEND || message.isResult() && message.count() == 0;
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
      case LATE_MESSAGE -> {
        late = copy(message, message.kind());
        lateTo = to;
      }
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
}
