package io.github.amb.runtime.mpj.express;

import java.util.concurrent.locks.LockSupport;
import org.apache.log4j.Hierarchy;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.spi.RootLogger;

/**
 * Makes niodev's selector thread yield while it waits for the rest of a message.
 *
 * <p>niodev reads a message that has begun to arrive in a loop of non-blocking reads. If the sender
 * needs the same core, the loop keeps it from writing until the scheduler's tick: 2 ms for a
 * message of 1 MB, measured, instead of 0.5 ms. The only call in that loop that this program can
 * replace is the query whether debug logging is on. Repeated queries without a completed message
 * therefore yield the core, and later sleep.
 */
final class SpinYield extends Hierarchy {
  /** More queries than niodev makes for a message that has arrived as a whole. */
  private static final int QUESTIONS = 100;

  /** Queries, some 10 ms of them, after which the sender counts as stalled. */
  private static final int STALLED = 20_000;

  private static final long NAP_NANOS = 200_000;

  private volatile Thread selector;
  private int questions;

  private SpinYield() {
    super(new RootLogger(Level.OFF));
  }

  /** Replaces the logging of this class loader's MPJ Express, which is off anyway. */
  static SpinYield install() {
    SpinYield logging = new SpinYield();
    LogManager.setRepositorySelector(() -> logging, logging);
    return logging;
  }

  /** Sets the thread that reads. */
  void watch(Thread selector) {
    this.selector = selector;
  }

  /** Records that a message is complete; called on the selector thread. */
  void progress() {
    questions = 0;
  }

  @Override
  public boolean isDisabled(int level) {
    if (Thread.currentThread() == selector && ++questions > QUESTIONS) {
      giveWay();
    }
    return true;
  }

  private void giveWay() {
    if (questions > STALLED) {
      questions = STALLED;
      LockSupport.parkNanos(this, NAP_NANOS);
    } else {
      Thread.yield();
    }
  }
}
