package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.state.StateVisitor;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.PriorityQueue;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A communicator that holds back each received set of parameters and each result for |N(0, σ²)|
 * seconds, so that delays of a network can be studied where there are none.
 *
 * <p>Messages of one rank may overtake each other. A worker's last word, {@link Message.Kind#STOP},
 * does not overtake its results. A message that is held back counts as on its way. Where the engine
 * does not count it ({@link Communicator#hold}), nothing is taken while so much is held back that
 * senders would wait.
 */
public final class DelayedMessages extends ForwardingCommunicator implements Checkpointed {
  private final Clock clock;
  private final double std;
  private final SharedStateContinuousSampler normal;
  private final PriorityQueue<Held> held = new PriorityQueue<>();
  private final Deque<Held> free = new ArrayDeque<>();
  private final int senders;
  private long heldBytes;
  private long largest;
  private long arrivals;
  private long draws;
  private LostException loss;

  /** A message, and when it is let go. */
  private static final class Held implements Comparable<Held>, Checkpointed {
    final Message message = new Message();
    long release;
    long arrival;
    int floats;

    @Override
    public void visit(StateVisitor state) {
      long[] numbers = {
        message.kind().ordinal(),
        message.step(),
        message.source(),
        message.examples(),
        release,
        arrival
      };
      double[] header = message.numbers();
      state.integers("numbers", numbers);
      state.doubles("stats", header);
      if (state.has("floats")) {
        floats = (int) state.integer("floats", floats);
      }
      float[] values = state.anyFloats("values", Arrays.copyOf(message.values(), message.length()));
      message.reset(Message.Kind.values()[(int) numbers[0]], numbers[1]);
      message.source((int) numbers[2]);
      message.examples(numbers[3]);
      release = numbers[4];
      arrival = numbers[5];
      message.numbers(header);
      message.exchange(values, values.length);
    }

    @Override
    public int compareTo(Held other) {
      int byTime = Long.compare(release, other.release);
      return byTime != 0 ? byTime : Long.compare(arrival, other.arrival);
    }
  }

  private DelayedMessages(Communicator communicator, Clock clock, Streams streams, double std) {
    super(communicator);
    this.clock = clock;
    this.std = std;
    senders = communicator.rank() == MASTER ? Math.max(1, communicator.size() - 1) : 1;
    UniformRandomProvider random = streams.stream("message delay", communicator.rank(), 0);
    normal = ZigguratSampler.NormalizedGaussian.of(random);
  }

  /**
   * A communicator with delays.
   *
   * @param std σ in seconds; 0 or less for no delays
   * @param state what the rank remembers
   */
  public static Communicator over(
      Communicator communicator, Clock clock, Streams streams, double std, StateRegistry state) {
    if (std <= 0) {
      return communicator;
    }
    DelayedMessages delayed = new DelayedMessages(communicator, clock, streams, std);
    state.registerOfRounds("delayed", delayed);
    return delayed;
  }

  @Override
  public void visit(StateVisitor state) {
    arrivals = state.integer("arrivals", arrivals);
    long drawn = state.integer("draws", draws);
    for (; draws < drawn; draws++) {
      normal.sample();
    }
    Held[] all = held.toArray(new Held[0]);
    int count = (int) state.integer("count", all.length);
    for (int i = 0; i < count; i++) {
      Held each = i < all.length ? all[i] : new Held();
      each.visit(new NamedState(i + ".", state));
      if (i >= all.length) {
        add(each);
      }
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws LostException if another rank fails, once all that came before is let go
   */
  @Override
  public boolean receive(int from, Message into, long deadline) {
    while (true) {
      while (hasRoom() && takeOne(from, clock.now())) {
        // One more has come.
      }
      Held next = held.peek();
      if (next != null && next.release <= clock.now()) {
        held.remove();
        heldBytes -= (long) Float.BYTES * next.floats;
        hold(next.message.source(), next.floats, false);
        next.message.moveTo(into);
        free.push(next);
        return true;
      }
      if (clock.now() >= deadline) {
        return false;
      }
      long until = next == null ? deadline : Math.min(deadline, next.release);
      if (hasRoom()) {
        takeOne(from, until);
      } else {
        clock.sleep(until - clock.now());
      }
    }
  }

  /** Whether less is held back than what an engine that counts it admits on its way. */
  private boolean hasRoom() {
    long small = (long) WINDOW_MESSAGES * SMALL_BYTES; // These are admitted whatever the bytes are.
    return held.size() < WINDOW_MESSAGES * senders
        && heldBytes <= senders * (WINDOW_BYTES + small + largest);
  }

  private void add(Held message) {
    long bytes = (long) Float.BYTES * message.floats;
    heldBytes += bytes;
    largest = Math.max(largest, bytes);
    hold(message.message.source(), message.floats, true);
    held.add(message);
  }

  /**
   * Takes a message off the wire; false if the deadline passed first. A rank failure comes last.
   */
  private boolean takeOne(int from, long deadline) {
    if (loss == null) {
      try {
        return takeNext(from, deadline);
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

  private boolean takeNext(int from, long deadline) {
    Held next = free.isEmpty() ? new Held() : free.pop();
    if (!super.receive(from, next.message, deadline)) {
      free.push(next);
      return false;
    }
    next.floats = lastReceived() > 0 ? lastReceived() : next.message.length();
    next.release = release(next.message);
    next.arrival = arrivals++;
    add(next);
    return true;
  }

  private long release(Message message) {
    long now = clock.now();
    if (message.isResult() || message.kind() == Message.Kind.PARAMETERS) {
      draws++;
      return now + Clock.nanos(Math.abs(std * normal.sample()));
    }
    return rank() == MASTER && message.kind() == Message.Kind.STOP
        ? Math.max(now, lastOf(message.source()))
        : now;
  }

  private long lastOf(int source) {
    return held.stream()
        .filter(other -> other.message.source() == source)
        .mapToLong(other -> other.release)
        .max()
        .orElse(0);
  }
}
