package io.github.amb.core.engine;

import java.util.concurrent.TimeUnit;

/**
 * Detects a message that is lost between two ranks, so that they do not wait for each other
 * forever.
 *
 * <p>A worker that has received nothing for a second sends the master, and each worker that it
 * exchanges messages with, the number of messages that it has sent there. They reply with their own
 * numbers, workers if they receive from any rank. Messages of one rank arrive in the order sent. A
 * number that differs from that of the received messages therefore proves a loss, however slow the
 * link or the master is. The generation then ends with a {@link LostException}, as if a connection
 * had broken. Messages in flight are discarded, and the step is repeated.
 *
 * <p>All ranks of a generation must use a detector, from the same message on.
 */
public final class LossDetector extends ForwardingCommunicator {
  /** Nanoseconds without a message after which a worker sends its count. */
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final long[] sent;
  private final long[] received;
  private final Message count = new Message();
  private final boolean[] asked;
  private long heard;

  /**
   * @param communicator transmits the messages
   * @param clock of the engine
   */
  public LossDetector(Communicator communicator, Clock clock) {
    super(communicator);
    this.clock = clock;
    sent = new long[communicator.size()];
    received = new long[communicator.size()];
    asked = new boolean[communicator.size()];
    heard = clock.now();
  }

  @Override
  protected void sending(int to, Message message) {
    if (message.kind() != Message.Kind.COUNT) {
      for (int rank = Math.max(0, to); rank < (to == ANY ? sent.length : to + 1); rank++) {
        sent[rank]++;
      }
    }
  }

  @Override
  protected boolean received(Message message) {
    boolean counts = message.kind() != Message.Kind.COUNT;
    if (counts) {
      heard = clock.now(); // Else one that asks every second would keep others from asking.
      received[message.source()]++;
    } else {
      compare(message.source(), message.count());
    }
    return counts;
  }

  /** Always false: each message is counted. */
  @Override
  public boolean exchange(Message message) {
    return false;
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    while (!super.receive(from, into, patience(deadline))) {
      long now = clock.now();
      if (now - heard >= PATIENCE) {
        heard = now;
        ask();
      }
      if (now >= deadline) {
        return false;
      }
    }
    return true;
  }

  /** The master only replies, so it need not wake up. */
  private long patience(long deadline) {
    return rank() == MASTER ? deadline : Math.min(deadline, heard + PATIENCE);
  }

  private void ask() {
    for (int other = MASTER; rank() != MASTER && other < sent.length; other++) {
      boolean knows = other == MASTER || sent[other] + received[other] > 0;
      if (knows && !asked[other]) {
        asked[other] = true;
        tell(other);
      }
    }
  }

  private void tell(int to) {
    count.reset(Message.Kind.COUNT, 0).count(sent[to]);
    send(to, count, Clock.NEVER);
  }

  private void compare(int source, long told) {
    if (told != received[source]) {
      throw new LostException(
          "messages were lost: rank %d has sent %d to rank %d, which has received %d"
              .formatted(number(source), told, number(rank()), received[source]));
    }
    if (!asked[source]) {
      tell(source);
    }
    asked[source] = false;
  }
}
