package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.LostException;
import java.util.concurrent.TimeUnit;

/**
 * A rank's communicator that lets the launcher know for which frame the rank waits, so that ranks
 * which wait for each other, with nothing under way between them, are not left to it.
 */
public final class ReportedWaits extends ForwardingCommunicator {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Signs of life between ranks are a few hundred bytes a second; a chunk of a payload is more. */
  private static final int COARSE_BITS = 16;

  private static volatile ReportedWaits current;

  private final Clock clock;
  private final int epoch;
  private volatile long receives;
  private volatile boolean waiting;

  /**
   * @param clock the engine's
   * @param epoch the epoch's number
   */
  public ReportedWaits(Communicator communicator, Clock clock, int epoch) {
    super(communicator);
    this.clock = clock;
    this.epoch = epoch;
    current = this;
  }

  /** What the rank waits for, the same words as long as nothing comes; empty if it does not. */
  static String describe() {
    ReportedWaits now = current;
    return now != null && now.waiting
        ? now.epoch + "-" + now.receives + "-" + (now.bytesReceived() >> COARSE_BITS)
        : "";
  }

  /**
   * @throws LostException also if the launcher has ended the epoch
   */
  @Override
  public boolean receive(int from, Frame into, long deadline) {
    receives++;
    waiting = true;
    try {
      while (true) {
        long look = Math.min(deadline, clock.now() + LOOK_NANOS);
        if (super.receive(from, into, look)) {
          return true;
        }
        if (ParentWatch.isEnded(epoch)) {
          throw new LostException("all ranks waited for each other");
        }
        if (clock.now() >= deadline) {
          return false;
        }
      }
    } finally {
      waiting = false;
    }
  }
}
