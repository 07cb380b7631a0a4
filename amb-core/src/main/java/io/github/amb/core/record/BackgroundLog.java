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

  private final Consumer<? super LogRecord> target;
  private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final Thread thread;

  /** Has a permit if somebody waits for the pending records. */
  private final Semaphore awaited = new Semaphore(0);

  private volatile Throwable failure;
  private boolean thrown;
  private boolean closed;
  private boolean ended; // Used by the thread alone.

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
    put(() -> handOn(record));
  }

  private void put(Runnable task) {
    Waits.uninterrupted(() -> queue.put(task));
  }

  private void run() {
    try {
      while (!ended) {
        Runnable task = queue.take();
        awaited.tryAcquire(DELAY_MILLIS, TimeUnit.MILLISECONDS);
        for (; task != null; task = queue.poll()) {
          task.run();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("the thread of the log was interrupted", e);
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
    put(flushed::countDown);
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
    put(() -> ended = true);
    awaited.release();
    Waits.uninterrupted(thread::join);
    if (!thrown) {
      rethrow();
    }
  }
}
