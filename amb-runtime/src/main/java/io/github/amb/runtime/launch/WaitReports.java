package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.control.Heartbeat;

/**
 * A rank's communicator that reports to the launcher for which message the rank waits. The launcher
 * can so end a generation whose ranks all wait for each other.
 */
final class WaitReports extends ForwardingCommunicator {
  /**
   * Low bits of the byte count that are ignored: heartbeats between ranks take a few hundred bytes
   * per second, a chunk of a payload takes more.
   */
  private static final int COARSE_BITS = 16;

  private final int generation;
  private volatile long receives;
  private volatile boolean waiting;

  WaitReports(Communicator communicator, int generation) {
    super(communicator);
    this.generation = generation;
  }

  /** What the rank waits for, unchanged while nothing arrives; null if it does not wait. */
  Heartbeat.Wait now() {
    return waiting
        ? new Heartbeat.Wait(generation, receives, bytesReceived() >> COARSE_BITS)
        : null;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread of a rank receives.
  public boolean receive(int from, Message into, long deadline) {
    receives++;
    waiting = true;
    try {
      return super.receive(from, into, deadline);
    } finally {
      waiting = false;
    }
  }
}
