package io.github.amb.core.engine;

import java.util.function.Consumer;

/**
 * Numbers the messages that it sends, and drops received messages that are not newer than the last
 * one from the same rank. A duplicate therefore counts once. A message that a later one has
 * overtaken is dropped, too; a {@link LossDetector} around this filter detects it as lost.
 *
 * <p>All ranks of a generation must use a filter, from the same message on.
 */
public final class DuplicateFilter extends ForwardingCommunicator {
  private final Consumer<String> warnings;
  private final long[] newest;
  private long sent;
  private long dropped;

  /**
   * @param communicator transmits the messages
   * @param warnings receives a log line for dropped messages, less and less often as their number
   *     grows
   */
  public DuplicateFilter(Communicator communicator, Consumer<String> warnings) {
    super(communicator);
    this.warnings = warnings;
    newest = new long[communicator.size()];
  }

  @Override
  public void send(int to, Message message, long deadline) {
    message.number(++sent);
    super.send(to, message, deadline);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    message.number(++sent);
    super.broadcast(message, deadline);
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    while (super.receive(from, into, deadline)) {
      long number = into.number();
      if (number > newest[into.source()]) {
        newest[into.source()] = number;
        return true;
      }
      drop(into, number);
    }
    return false;
  }

  private void drop(Message message, long number) {
    dropped++;
    if (Long.bitCount(dropped) == 1) {
      warnings.accept(
          ("dropped %s of step %d from rank %d: expected a message after its message %d, found message"
                  + " %d, which came twice or too late; %d dropped so far")
              .formatted(
                  message.kind(),
                  message.step(),
                  message.source(),
                  newest[message.source()],
                  number,
                  dropped));
    }
    message.release();
  }
}
