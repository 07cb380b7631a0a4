package io.github.amb.core.record;

import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Passes records to a consumer on its own thread, in order, so that no caller waits for formatting
 * and files. Records are passed on {@value #DELAY_MILLIS} ms after the first of them, so as not to
 * compete with the end of a step, when all ranks are busy, or as soon as somebody waits for them. A
 * caller waits if {@value #CAPACITY} records are pending.
 */
public final class BackgroundLog implements Consumer<LogRecord>, AutoCloseable {
  /** Maximum number of pending records. */
  static final int CAPACITY = 4096;

  private static final long DELAY_MILLIS = 10;
  private static final Object END = new Object();

  private final Consumer<? super LogRecord> target;
  private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final Thread thread;

  /** Has a permit if somebody waits for the pending records. */
  private final Semaphore awaited = new Semaphore(0);

  private volatile Throwable failure;
  private boolean thrown;
  private boolean closed;

  /**
   * @param target receives the records; called by one thread only
   */
  public BackgroundLog(Consumer<? super LogRecord> target) {
    this.target = target;
    thread = Daemon.start("records", this::run, e -> failure = e);
  }

  /**
   * Accepts a record, which is passed on soon.
   *
   * @throws RuntimeException what the consumer threw for an earlier record, an error as its cause;
   *     no record has been passed on since
   */
  @Override
  public void accept(LogRecord record) {
    rethrow();
    put(record);
  }

  private void put(Object entry) {
    Waits.uninterrupted(() -> queue.put(entry));
  }

  private void run() {
    try {
      Object entry = queue.take();
      while (entry != END) {
        awaited.tryAcquire(DELAY_MILLIS, TimeUnit.MILLISECONDS);
        while (entry != null && entry != END) {
          handle(entry);
          entry = queue.poll();
        }
        entry = entry == null ? queue.take() : entry;
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("the thread of the log was interrupted", e);
    }
  }

  private void handle(Object entry) {
    if (entry instanceof CountDownLatch flushed) {
      flushed.countDown();
    } else {
      handOn((LogRecord) entry);
    }
  }

  /** Keeps consuming records after a failure, so that no caller waits forever. */
  private void handOn(LogRecord record) {
    if (failure == null) {
      try {
        target.accept(record);
      } catch (Throwable e) {
        failure = e;
      }
    }
  }

  /**
   * Waits until all records accepted so far have been passed on, or the log is closed. Any thread
   * may call this.
   */
  public void flush() {
    CountDownLatch flushed = new CountDownLatch(1);
    put(flushed);
    awaited.release();
    Waits.uninterrupted(
        () -> {
          while (thread.isAlive() && !flushed.await(DELAY_MILLIS, TimeUnit.MILLISECONDS)) {
            // The log is closed if its thread ends.
          }
        });
  }

  private void rethrow() {
    thrown = failure != null;
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    if (failure != null) {
      throw new IllegalStateException("records are no longer passed on: " + failure, failure);
    }
  }

  /**
   * Waits until all records have been passed on.
   *
   * @throws RuntimeException what the consumer threw, unless {@link #accept} has thrown it
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    put(END);
    awaited.release();
    Daemon.join(thread);
    if (!thrown) {
      rethrow();
    }
  }
}
