package io.github.amb.runtime.control;

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

  final int rank;
  final int start;
  final Listener listener;

  /** Number of received records; used by the thread of the connection alone. */
  long received;

  /** When the last record arrived, by {@link System#nanoTime}; used by the same thread. */
  long heard = System.nanoTime();

  private final Runnable news;
  private final Deque<byte[]> records = new ArrayDeque<>();
  private long acknowledged;

  /**
   * @param news called when there is something to send
   */
  ControlLine(int rank, int start, Listener listener, Runnable news) {
    this.rank = rank;
    this.start = start;
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

  /** The record after the first {@code count} ones; null if there is none yet. */
  synchronized byte[] after(long count) {
    long skipped = count - acknowledged;
    return skipped < 0 || skipped >= records.size()
        ? null
        : records.stream().skip(skipped).findFirst().orElseThrow();
  }

  /**
   * Removes the first {@code count} records, which have arrived.
   *
   * @throws MalformedRecordException if there were never as many, or if fewer than acknowledged
   *     before
   */
  synchronized void acknowledge(long count) throws MalformedRecordException {
    if (count < acknowledged || count > acknowledged + records.size()) {
      throw new MalformedRecordException(
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
