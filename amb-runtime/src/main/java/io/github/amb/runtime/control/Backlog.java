package io.github.amb.runtime.control;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Records that the other end has not acknowledged. A broken connection so loses none and repeats
 * none.
 */
final class Backlog {
  private final Deque<byte[]> records = new ArrayDeque<>();
  private long acknowledged;

  /** Adds a record, which gets the next number, from 1. */
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
