package io.github.amb.core.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a rank has received since it last had nothing under way. A rank that is put back to that
 * moment, and receives the same at the same times, does the same again. So what it was in the
 * middle of need not be saved.
 */
final class Round {
  /**
   * What a receipt came to, or a wait for the receiver before a message was sent.
   *
   * @param now the rank's moment afterwards
   * @param message what it received; null if the deadline had passed, or if it sent
   * @param sent number of the message that it sent; {@link #RECEIPT} of a receipt
   */
  record Event(Moment now, MessageInTransit message, long sent) {
    /** In place of the number of a message that was sent. */
    static final long RECEIPT = -1;
  }

  /**
   * A rank's place in time and its counters.
   *
   * @param egressFree when its link has sent all messages, nanoseconds
   * @param messages number of messages sent
   */
  record Place(Moment now, long egressFree, long messages, long bytesSent, long bytesReceived) {}

  private final List<Event> events = new ArrayList<>();
  private Place begun;
  private boolean again;
  private int repeated;
  private long sent;

  /** Begins here, unless it has just {@linkplain #beginAgain begun again}. */
  void begin(Place place) {
    if (again) {
      again = false;
      return;
    }
    begun = place;
    sent = place.messages();
    repeated = 0;
    for (Event event : events) {
      if (event.message() != null) {
        event.message().payload.release();
      }
    }
    events.clear();
  }

  /**
   * Begins again where it once began.
   *
   * @param repeated what happens, to be repeated
   * @param sent number of messages that the rank has sent in its life; those of the round are among
   *     them
   */
  void beginAgain(Place place, List<Event> repeated, long sent) {
    begin(place);
    events.addAll(repeated);
    this.sent = sent;
    this.again = true;
  }

  /** Where it began. */
  Place begun() {
    return begun;
  }

  /** All that was received. */
  List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** Whether the next receipt is one that has happened before. */
  boolean repeats() {
    return repeated < events.size();
  }

  /** The next receipt that has happened before. */
  Event repeat() {
    return events.get(repeated++);
  }

  /** Whether a message has been sent before. */
  boolean hasSent(long number) {
    return number < sent;
  }

  /** Notes a receipt; keeps the message's payload until the round ends. */
  void received(Moment now, MessageInTransit message) {
    if (message != null) {
      message.payload.retain();
    }
    events.add(new Event(now, message, Event.RECEIPT));
    repeated = events.size();
  }

  /** Notes that the rank had to wait until {@code now} before it sent message {@code number}. */
  void sent(Moment now, long number) {
    events.add(new Event(now, null, number));
    repeated = events.size();
  }

  /** Until when the rank had waited before it sent a message; null if it had not. Repeats it. */
  Moment sentAt(long number) {
    Moment last = null;
    while (repeats() && events.get(repeated).sent() == number) {
      last = repeat().now();
    }
    return last;
  }
}
