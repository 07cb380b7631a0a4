package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;

/**
 * A rank's communicator that lets the launcher know for which frame the rank waits, so that ranks
 * which wait for each other, with nothing under way between them, are not left to it.
 */
public final class ReportedWaits extends ForwardingCommunicator {
  /** Signs of life between ranks are a few hundred bytes a second; a chunk of a payload is more. */
  private static final int COARSE_BITS = 16;

  private static volatile ReportedWaits current;

  private final int epoch;
  private volatile long receives;
  private volatile boolean waiting;

  /**
   * @param epoch the epoch's number
   */
  public ReportedWaits(Communicator communicator, int epoch) {
    super(communicator);
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

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    receives++;
    waiting = true;
    try {
      return super.receive(from, into, deadline);
    } finally {
      waiting = false;
    }
  }
}
