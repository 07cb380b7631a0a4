package io.github.amb.core.thread;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the users of memory that is freed by hand. It is freed after its last use, and a later use
 * is an exception instead of a crash. A use costs two atomic operations.
 *
 * <pre>
 * try (Use use = uses.enter()) {
 *   compute();
 * }
 * </pre>
 */
public final class UseCount {
  /** The sign bit: the count is closed. The other bits are the number of users. */
  private static final int CLOSED = Integer.MIN_VALUE;

  private final String what;
  private final AtomicInteger state = new AtomicInteger();
  private final Use use = this::exit;

  /** A use in progress. */
  public interface Use extends AutoCloseable {
    /** Ends the use. */
    @Override
    void close();
  }

  /**
   * @param what what is used, for the message
   */
  public UseCount(String what) {
    this.what = what;
  }

  /**
   * Begins a use.
   *
   * @return what is closed at its end
   * @throws IllegalStateException if the count is closed
   */
  public Use enter() {
    if (state.getAndIncrement() < 0) {
      exit();
      throw new IllegalStateException("expected " + what + " in use, found it closed");
    }
    return use;
  }

  private void exit() {
    if (state.decrementAndGet() == CLOSED) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /**
   * Rejects further uses, and waits for those in progress, without regard to interrupts. A thread
   * that calls this during its own use waits forever.
   *
   * @return whether this is the first call; the caller then frees the memory
   */
  public boolean close() {
    boolean first = state.getAndUpdate(now -> now | CLOSED) >= 0;
    Waits.uninterrupted(this::awaitLast);
    return first;
  }

  private synchronized void awaitLast() throws InterruptedException {
    while (state.get() != CLOSED) {
      wait();
    }
  }
}
