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
  protected void sending(int to, Message message) {
    message.number(++sent);
  }

  @Override
  protected boolean received(Message message) {
    boolean newer = message.number() > newest[message.source()];
    if (newer) {
      newest[message.source()] = message.number();
    } else {
      drop(message, message.number());
    }
    return newer;
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
