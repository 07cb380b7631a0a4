package io.github.amb.core.thread;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts who uses memory that is freed by hand, so that it is freed after its last use, and a use
 * that comes later is an exception in place of a crash. A use costs two atomic operations.
 *
 * <pre>
 * uses.enter();
 * try {
 *   compute();
 * } finally {
 *   uses.exit();
 * }
 * </pre>
 */
public final class UseCount {
  /** The sign: nobody enters any more. The other bits count those that have not left. */
  private static final int CLOSED = Integer.MIN_VALUE;

  private final String what;
  private final AtomicInteger state = new AtomicInteger();

  /**
   * @param what is used, for the message
   */
  public UseCount(String what) {
    this.what = what;
  }

  /**
   * A use begins, which {@link #exit} must end.
   *
   * @throws IllegalStateException if it is closed
   */
  public void enter() {
    if (state.getAndIncrement() < 0) {
      exit();
      throw new IllegalStateException("expected " + what + " in use, found it closed");
    }
  }

  /** A use ends. */
  public void exit() {
    if (state.decrementAndGet() == CLOSED) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /**
   * Lets nobody enter any more, and waits for those that have not left, also while the calling
   * thread is interrupted. A thread that calls this amid a use of its own waits for itself.
   *
   * @return whether this is the first call, after which the caller frees what was used
   */
  public boolean close() {
    boolean first = state.getAndUpdate(now -> now | CLOSED) >= 0;
    boolean interrupted = false;
    synchronized (this) {
      while (state.get() != CLOSED) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return first;
  }
}
