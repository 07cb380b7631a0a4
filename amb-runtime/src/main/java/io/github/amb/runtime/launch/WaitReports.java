package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.runtime.control.Heartbeat;

/**
 * A rank's communicator that lets the launcher know for which frame the rank waits, so that ranks
 * which wait for each other, with nothing under way between them, are not left to it.
 */
final class WaitReports extends ForwardingCommunicator {
  /** Signs of life between ranks are a few hundred bytes a second; a chunk of a payload is more. */
  private static final int COARSE_BITS = 16;

  private final int generation;
  private volatile long receives;
  private volatile boolean waiting;

  WaitReports(Communicator communicator, int generation) {
    super(communicator);
    this.generation = generation;
  }

  /** What the rank waits for, the same as long as nothing comes; null if it does not. */
  Heartbeat.Wait now() {
    return waiting
        ? new Heartbeat.Wait(generation, receives, bytesReceived() >> COARSE_BITS)
        : null;
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
