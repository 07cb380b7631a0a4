package io.github.amb.core.engine;

import java.util.concurrent.TimeUnit;

/**
 * A communicator that notices when a frame is lost between a worker and the master, so that the two
 * do not wait for each other for good.
 *
 * <p>A worker that has heard nothing for a second tells the master how many frames it has sent to
 * it, and the master answers with its own count. Frames of one rank arrive in the order sent, so a
 * count that is not that of the frames that came before it proves a loss, however slow the link or
 * the master. The world ends then with a {@link LostException}, as if a connection had broken: what
 * was under way is discarded and the step is done again.
 *
 * <p>Master and workers of a generation must all use one, from the same point of their conversation
 * on.
 */
public final class LossDetector extends ForwardingCommunicator {
  /** Nanoseconds of silence before a worker tells its count. */
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final long[] sent;
  private final long[] received;
  private final Frame count = new Frame();
  private boolean answered = true;
  private long heard;

  /**
   * @param clock the engine's
   */
  public LossDetector(Communicator communicator, Clock clock) {
    super(communicator);
    this.clock = clock;
    sent = new long[communicator.size()];
    received = new long[communicator.size()];
    heard = clock.now();
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    sent[to]++;
    super.send(to, frame, deadline);
  }

  @Override
  public void broadcast(Frame frame, long deadline) {
    for (int to = 0; to < sent.length; to++) {
      sent[to]++;
    }
    super.broadcast(frame, deadline);
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    while (true) {
      if (super.receive(from, into, patience(deadline))) {
        heard = clock.now();
        if (into.kind() != Frame.Kind.COUNT) {
          received[into.source()]++;
          return true;
        }
        compare(into.source(), into.step());
      } else {
        long now = clock.now();
        if (now - heard >= PATIENCE) {
          heard = now;
          ask();
        }
        if (now >= deadline) {
          return false;
        }
      }
    }
  }

  /** The master answers only, so it need not wake. */
  private long patience(long deadline) {
    return rank() == MASTER ? deadline : Math.min(deadline, heard + PATIENCE);
  }

  private void ask() {
    if (rank() != MASTER && answered) {
      answered = false;
      tell(MASTER);
    }
  }

  private void tell(int to) {
    super.send(to, count.reset(Frame.Kind.COUNT, sent[to]), Clock.NEVER);
  }

  private void compare(int source, long told) {
    if (told != received[source]) {
      throw new LostException(
          "frames were lost: rank %d has sent %d to rank %d, of which %d have come"
              .formatted(source, told, rank(), received[source]));
    }
    answered = true;
    if (rank() == MASTER) {
      tell(source);
    }
  }
}
