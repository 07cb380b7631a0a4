package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The receiving side of a node's link. It takes one message after the other, in the order in which
 * their first bits arrive, and keeps each until the node receives it.
 */
final class Ingress {
  private final PriorityQueue<MessageInTransit> coming = new PriorityQueue<>();
  private final Deque<MessageInTransit> arriving = new ArrayDeque<>();
  private final Map<Integer, Window> windows = new HashMap<>();
  private final int rank;
  private long free;

  /** What a rank has sent in a generation, and the node has not taken. */
  private static final class Window {
    int generation = 1;
    int messages;
    long floats;
  }

  Ingress(int rank) {
    this.rank = rank;
  }

  void add(MessageInTransit message) {
    coming.add(message);
    count(message.transit.source(), message.generation, message.payload.length, 1);
  }

  /**
   * Whether {@code source} may send a message of {@code size} bytes.
   *
   * @param floatBytes bytes of a float of a payload
   */
  boolean admits(int source, int generation, long size, long floatBytes) {
    Window window = window(source, generation);
    return Communicator.admits(window.messages, floatBytes * window.floats, size);
  }

  /** Counts messages that come ({@code messages} 1) or are taken (−1); a generation ends them. */
  void count(int source, int generation, int floats, int messages) {
    Window window = window(source, generation);
    if (generation == window.generation) {
      window.messages += messages;
      window.floats += (long) messages * floats;
    }
  }

  private Window window(int source, int generation) {
    Window window = windows.computeIfAbsent(source, each -> new Window());
    if (generation > window.generation) {
      window.generation = generation;
      window.messages = 0;
      window.floats = 0;
    }
    return window;
  }

  /** The messages whose first bits have not been seen, in no particular order. */
  Collection<MessageInTransit> coming() {
    return Collections.unmodifiableCollection(coming);
  }

  /** The messages that have been admitted, in the order in which they were. */
  Collection<MessageInTransit> arriving() {
    return Collections.unmodifiableCollection(arriving);
  }

  /** When the link has received all that was admitted, nanoseconds. */
  long free() {
    return free;
  }

  /** Sets when the link is free, and puts in a message that has been admitted. */
  void restore(long free, Collection<MessageInTransit> arriving) {
    this.free = free;
    for (MessageInTransit message : arriving) {
      this.arriving.add(message);
      count(message.transit.source(), message.generation, message.payload.length, 1);
    }
  }

  /** When {@code message} would arrive if no other message came before it. */
  Moment earliestArrival(MessageInTransit message) {
    return seen(message, through(message));
  }

  private long through(MessageInTransit message) {
    return Math.max(message.transit.first(), free) + message.transit.duration();
  }

  /** The receiver's first turn that sees a message with arrival time {@code arrival}. */
  private Moment seen(MessageInTransit message, long arrival) {
    return Moment.later(new Moment(arrival, rank), message.transit.sent());
  }

  /**
   * Removes and returns the first message that has arrived from {@code source}; null if none has.
   *
   * @param source a rank or {@link Communicator#ANY}
   */
  MessageInTransit poll(int source, Moment now) {
    admit(now);
    MessageInTransit message = peek(source);
    if (message == null || message.arrival > now.time()) {
      return null;
    }
    arriving.removeFirstOccurrence(message);
    count(message.transit.source(), message.generation, message.payload.length, -1);
    return message;
  }

  /** When to {@link #poll} again if no further message is sent. */
  Moment nextArrival(int source) {
    MessageInTransit arrived = peek(source);
    if (arrived != null) {
      return seen(arrived, arrived.arrival);
    }
    return coming.isEmpty() ? new Moment(Clock.NEVER, rank) : earliestArrival(coming.peek());
  }

  private void admit(Moment now) {
    while (!coming.isEmpty() && isHere(coming.peek(), now)) {
      MessageInTransit message = coming.poll();
      message.arrival = through(message);
      free = message.arrival;
      arriving.add(message);
    }
  }

  private static boolean isHere(MessageInTransit message, Moment now) {
    return message.transit.first() <= now.time() && !now.isBefore(message.transit.sent());
  }

  private MessageInTransit peek(int source) {
    if (source == Communicator.ANY) {
      return arriving.peek();
    }
    for (MessageInTransit message : arriving) {
      if (message.transit.source() == source) {
        return message;
      }
    }
    return null;
  }
}
