package io.github.amb.core.engine;

import java.util.function.Consumer;

/**
 * Numbers the messages that it sends, drops received messages that came before, and detects those
 * that did not come. A duplicate therefore counts once. A number that is not the next one of its
 * rank proves that a message is lost, or overtaken: a {@link LostException} ends the generation
 * before a later message is read as if it followed an earlier one. A {@link LossDetector} around
 * this filter detects the loss of a rank's last message.
 *
 * <p>Broadcasts have numbers of their own, which are negative, as one message is for all ranks.
 *
 * <p>All ranks of a generation must use a filter, from the same message on.
 */
public final class DuplicateFilter extends ForwardingCommunicator {
  private final Consumer<String> warnings;
  private final long[] sent;
  private final long[] newest;
  private final long[] newestBroadcast;
  private long broadcasts;
  private long dropped;

  /**
   * @param communicator transmits the messages
   * @param members numbers of the ranks in the run, by rank
   * @param warnings receives a log line for dropped messages, less and less often as their number
   *     grows
   */
  public DuplicateFilter(Communicator communicator, int[] members, Consumer<String> warnings) {
    super(communicator, members);
    this.warnings = warnings;
    sent = new long[communicator.size()];
    newest = new long[communicator.size()];
    newestBroadcast = new long[communicator.size()];
  }

  @Override
  protected void sending(int to, Message message) {
    message.number(to == ANY ? --broadcasts : ++sent[to]);
  }

  @Override
  protected boolean received(Message message) {
    int source = message.source();
    long[] last = message.number() < 0 ? newestBroadcast : newest;
    long number = Math.abs(message.number());
    boolean next = number > last[source];
    if (number > last[source] + 1) {
      throw new LostException(
          "messages were lost: rank %d has sent message %d, %s of step %d, and message %d did not come before it"
              .formatted(number(source), number, message.kind(), message.step(), last[source] + 1));
    }
    if (next) {
      last[source] = number;
    } else {
      drop(message, last[source], number);
    }
    return next;
  }

  private void drop(Message message, long last, long number) {
    dropped++;
    if (Long.bitCount(dropped) == 1) {
      warnings.accept(
          ("dropped %s of step %d from rank %d: expected a message after its message %d, found message"
                  + " %d, which came twice or too late; %d dropped so far")
              .formatted(
                  message.kind(), message.step(), number(message.source()), last, number, dropped));
    }
    message.release();
  }
}
