package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The receiving side of a node's link: takes one message after the other, in the order in which
 * their first bits come, and keeps them until they are received.
 */
final class Ingress {
  private final PriorityQueue<Message> coming = new PriorityQueue<>();
  private final Deque<Message> arriving = new ArrayDeque<>();
  private final Map<Integer, Deque<Message>> bySource = new HashMap<>();
  private long free;

  void add(Message message) {
    coming.add(message);
  }

  /** When {@code message} would arrive if no other one came before it. */
  long earliestArrival(Message message) {
    return Math.max(message.first, free) + message.duration;
  }

  /**
   * The first message from {@code source} that has arrived, taken out; null if none has.
   *
   * @param source a rank or {@link Communicator#ANY}
   */
  Message poll(int source, long now) {
    admit(now);
    Message message = peek(source);
    if (message == null || message.arrival > now) {
      return null;
    }
    message.taken = true;
    bySource.get(message.source).poll();
    peek(Communicator.ANY); // Drops what was taken by source.
    return message;
  }

  /** When it is worth to {@link #poll} again, should no further message be sent. */
  long nextArrival(int source) {
    Message arrived = peek(source);
    if (arrived != null) {
      return arrived.arrival;
    }
    return coming.isEmpty() ? Clock.NEVER : earliestArrival(coming.peek());
  }

  private void admit(long now) {
    while (!coming.isEmpty() && coming.peek().first <= now) {
      Message message = coming.poll();
      message.arrival = earliestArrival(message);
      free = message.arrival;
      arriving.add(message);
      bySource.computeIfAbsent(message.source, s -> new ArrayDeque<>(1)).add(message);
    }
  }

  private Message peek(int source) {
    if (source != Communicator.ANY) {
      Deque<Message> messages = bySource.get(source);
      return messages == null ? null : messages.peek();
    }
    while (!arriving.isEmpty() && arriving.peek().taken) {
      arriving.poll();
    }
    return arriving.peek();
  }
}
