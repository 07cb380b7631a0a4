package io.github.amb.runtime.control;

import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.MalformedFrameException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * One end's state about one process of a rank, across all connections of that process. It keeps the
 * records that the other end has not acknowledged. A broken connection so loses none and repeats
 * none.
 */
public final class ControlLine {
  /** Receives the other end's records, on the thread of the connection. */
  public interface Listener {
    /** A launcher's rank has sent a heartbeat. */
    default void lives(Heartbeat heartbeat) {}

    /** A launcher's rank has sent a report. */
    default void report(RankReport report) {}

    /** A rank's launcher has sent an order. */
    default void order(Order order) {}

    /** What a rank's program waits for now; null if it does not wait, and at a launcher. */
    default Heartbeat.Wait waiting() {
      return null;
    }

    /** A rank's launcher has been silent for as long as the rank tolerates. */
    default void silent() {}
  }

  /** What the connection of a line is for. */
  static final String PURPOSE = "control";

  final Channel.Name name;
  final Listener listener;

  private final Class<? extends ControlRecord> incoming;
  private final Runnable news;
  private final Deque<byte[]> records = new ArrayDeque<>();
  private long acknowledged;

  // Used by the thread of the connection alone.
  private Channel channel; // null while there is none, or the other end has not proven itself
  private long sent;
  private long received;

  /** When the last record arrived, by {@link System#nanoTime}; used by the same thread. */
  long heard = System.nanoTime();

  /**
   * @param name the process
   * @param incoming what the other end sends, apart from heartbeats
   * @param news called when there is something to send
   */
  ControlLine(
      Channel.Name name,
      Class<? extends ControlRecord> incoming,
      Listener listener,
      Runnable news) {
    this.name = name;
    this.incoming = incoming;
    this.listener = listener;
    this.news = news;
  }

  /** Sends a record; without a connection, it is sent after the next one is made. */
  public void send(ControlRecord record) {
    synchronized (this) {
      records.add(RecordCodec.encode(record));
    }
    news.run();
  }

  /** The connection to the other end; null if there is none. */
  Channel channel() {
    return channel;
  }

  /** Forgets a connection that has ended. */
  void ended(Channel old) {
    channel = channel == old ? null : channel;
  }

  /**
   * Takes a record, the first one of a connection from who has proven to be the other end.
   *
   * @param bytes the record; from a new connection, a heartbeat, after which the connection is used
   *     in place of the one before
   * @throws MalformedFrameException if the other end does not send such a record
   */
  void hear(Channel from, byte[] bytes) throws MalformedFrameException {
    ControlRecord record = RecordCodec.decode(bytes);
    heard = System.nanoTime();
    if (record instanceof Heartbeat beat) {
      acknowledge(beat.received());
      if (channel != from) {
        channel = from;
        sent = beat.received();
        beat();
      }
      listener.lives(beat);
      return;
    }
    if (channel != from || !incoming.isInstance(record)) {
      throw new MalformedFrameException(
          "expected %s, found %s"
              .formatted(channel == from ? incoming.getSimpleName() : "a heartbeat first", record));
    }
    received++;
    beat();
    if (record instanceof RankReport report) {
      listener.report(report);
    } else if (record instanceof Order order) {
      listener.order(order);
    }
  }

  /** A heartbeat, which proves this end if it is the first record of a connection. */
  byte[] heartbeat() {
    return RecordCodec.encode(new Heartbeat(received, listener.waiting()));
  }

  /** Sends a heartbeat, unless other records are pending. */
  void beat() {
    if (channel != null && channel.pending() < 2) {
      channel.send(heartbeat());
    }
  }

  /** Sends what is pending, as far as the connection accepts it. */
  void write() throws IOException {
    for (byte[] next = after(sent); channel != null && next != null; next = after(sent)) {
      channel.send(next);
      sent++;
    }
    if (channel != null) {
      channel.write();
    }
  }

  /** The record after the first {@code count} ones; null if there is none yet. */
  private synchronized byte[] after(long count) {
    long skipped = count - acknowledged;
    return skipped < 0 || skipped >= records.size()
        ? null
        : records.stream().skip(skipped).findFirst().orElseThrow();
  }

  /**
   * Removes the first {@code count} records, which have arrived.
   *
   * @throws MalformedFrameException if there were never as many, or if fewer than acknowledged
   *     before
   */
  synchronized void acknowledge(long count) throws MalformedFrameException {
    if (count < acknowledged || count > acknowledged + records.size()) {
      throw new MalformedFrameException(
          "expected the count of received records from %d to %d, found %d"
              .formatted(acknowledged, acknowledged + records.size(), count));
    }
    for (; acknowledged < count; acknowledged++) {
      records.remove();
    }
    notifyAll();
  }

  /** Waits until all records have arrived; returns false after {@code millis} milliseconds. */
  synchronized boolean awaitEmpty(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!records.isEmpty()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }
}
