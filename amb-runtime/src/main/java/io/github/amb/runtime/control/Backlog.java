package io.github.amb.runtime.control;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Records on their way to the other end, kept until it has said that they have come, so that a
 * connection that breaks loses none and repeats none.
 */
final class Backlog {
  private final Deque<byte[]> records = new ArrayDeque<>();
  private long acknowledged;

  /** Adds one, which gets the next number, from 1. */
  synchronized void add(ControlRecord record) {
    records.add(RecordCodec.encode(record));
  }

  /** The record after the first {@code count} ones; null if there is none yet. */
  synchronized byte[] after(long count) {
    long skipped = count - acknowledged;
    return skipped < 0 || skipped >= records.size()
        ? null
        : records.stream().skip(skipped).findFirst().orElseThrow();
  }

  /**
   * The first {@code count} records have come.
   *
   * @throws MalformedRecordException if there never were as many, or fewer than said before
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

  /** Waits until all records have come; returns false if they have not in time. */
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
