package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.random.Streams;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Received frames, parameters and results held back for |N(0, σ²)| seconds each, so that delays of
 * a network can be studied where there are none.
 */
final class HoldingInbox {
  /** In place of a deadline: do not wait. */
  static final long NOW = Long.MIN_VALUE;

  private final Communicator communicator;
  private final Clock clock;
  private final double std;
  private final SharedStateContinuousSampler normal;
  private final PriorityQueue<Held> held = new PriorityQueue<>();
  private final Deque<Held> free = new ArrayDeque<>();
  private long arrivals;
  private LostException loss;

  /** A frame, and when it is let go. */
  private static final class Held implements Comparable<Held> {
    Frame frame = new Frame();
    long release;
    long arrival;

    @Override
    public int compareTo(Held other) {
      int byTime = Long.compare(release, other.release);
      return byTime != 0 ? byTime : Long.compare(arrival, other.arrival);
    }
  }

  /**
   * @param std σ in seconds; 0 or less for no holding
   */
  HoldingInbox(Communicator communicator, Clock clock, Streams streams, double std) {
    this.communicator = communicator;
    this.clock = clock;
    this.std = std;
    UniformRandomProvider random = streams.stream("message delay", communicator.rank(), 0);
    normal = ZigguratSampler.NormalizedGaussian.of(random);
  }

  /**
   * Takes the next frame that is let go.
   *
   * @param spare the caller's own, given away if a frame is returned
   * @return the frame, now the caller's; null if the deadline passed first
   * @throws LostException if another rank is lost, once all that came before is let go
   */
  Frame receive(Frame spare, long deadline) {
    while (true) {
      takeIn(clock.now());
      Held next = held.peek();
      if (next != null && next.release <= clock.now()) {
        held.remove();
        Frame frame = next.frame;
        next.frame = spare;
        free.push(next);
        return frame;
      }
      if (clock.now() >= deadline) {
        return null;
      }
      takeOne(next == null ? deadline : Math.min(deadline, next.release));
    }
  }

  /** Takes everything off the wire that is there now. */
  private void takeIn(long now) {
    while (takeOne(now)) {
      // One more has come.
    }
  }

  /** Takes a frame off the wire; false if the deadline passed first. A loss is told of last. */
  private boolean takeOne(long deadline) {
    if (loss == null) {
      try {
        return takeNext(deadline);
      } catch (LostException e) {
        loss = e;
      }
    }
    if (held.isEmpty()) {
      throw loss;
    }
    clock.sleep(deadline - clock.now());
    return false;
  }

  private boolean takeNext(long deadline) {
    Held next = free.isEmpty() ? new Held() : free.pop();
    if (!communicator.receive(Communicator.ANY, next.frame, deadline)) {
      free.push(next);
      return false;
    }
    Frame.Kind kind = next.frame.kind();
    boolean holds = std > 0 && (kind == Frame.Kind.PARAMETERS || kind == Frame.Kind.GRADIENT);
    next.release = clock.now() + (holds ? Clock.nanos(Math.abs(std * normal.sample())) : 0);
    next.arrival = arrivals++;
    held.add(next);
    return true;
  }

  /** Whether frames are held back. */
  boolean isEmpty() {
    return held.isEmpty();
  }
}
