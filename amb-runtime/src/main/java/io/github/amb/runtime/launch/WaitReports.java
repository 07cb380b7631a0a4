package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.control.Heartbeat;

/**
 * A rank's communicator that reports to the launcher for which message the rank waits, so that the
 * launcher can end a generation whose ranks all wait for each other. It counts results, so that a
 * worker can leave without a loss.
 */
final class WaitReports extends ForwardingCommunicator {
  /**
   * Low bits of the byte count that are ignored: heartbeats between ranks take a few hundred bytes
   * per second, a chunk of a payload takes more.
   */
  private static final int COARSE_BITS = 16;

  private final int generation;
  private final long[] taken;
  private final Runnable hold;
  private volatile long sent;
  private volatile long announced = Long.MAX_VALUE;
  private volatile long receives;
  private volatile boolean waiting;

  /**
   * @param hold called before a result that was not announced is sent: it may be lost
   */
  WaitReports(Communicator communicator, int generation, Runnable hold) {
    super(communicator);
    this.hold = hold;
    this.generation = generation;
    taken = new long[communicator.size()];
  }

  /** Number of results that this rank has sent, with one that it computes. No more are expected. */
  long announce() {
    announced = sent + (waiting ? 0 : 1);
    return announced;
  }

  /** Number of results that this rank's program has received from a rank of the generation. */
  long taken(int rank) {
    return taken[rank];
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread of a rank sends.
  public void send(int to, Message message, long deadline) {
    if (message.isResult() && sent >= announced) {
      hold.run();
    }
    super.send(to, message, deadline);
    sent += message.isResult() ? 1 : 0;
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
      boolean came = super.receive(from, into, deadline);
      if (came && into.isResult()) {
        taken[into.source()]++;
      }
      return came;
    } finally {
      waiting = false;
    }
  }
}
