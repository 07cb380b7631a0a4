package io.github.amb.core.engine;

import java.util.function.Consumer;

/**
 * A communicator that numbers the frames that it sends, and drops every frame that is not newer
 * than the last one of the same rank: what comes twice counts once, and what a later frame has
 * overtaken is as good as lost, which a {@link LossDetector} around this one notices.
 *
 * <p>All ranks of a generation must use one, from the same point of their conversation on.
 */
public final class DuplicateFilter extends ForwardingCommunicator {
  private final Consumer<String> warnings;
  private final long[] newest;
  private long sent;
  private long dropped;

  /**
   * @param warnings receives lines for frames that are dropped; for fewer and fewer of them as they
   *     become many
   */
  public DuplicateFilter(Communicator communicator, Consumer<String> warnings) {
    super(communicator);
    this.warnings = warnings;
    newest = new long[communicator.size()];
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    frame.stat(Frame.NUMBER, ++sent);
    super.send(to, frame, deadline);
  }

  @Override
  public void broadcast(Frame frame, long deadline) {
    frame.stat(Frame.NUMBER, ++sent);
    super.broadcast(frame, deadline);
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    while (super.receive(from, into, deadline)) {
      long number = (long) into.stat(Frame.NUMBER);
      if (number > newest[into.source()]) {
        newest[into.source()] = number;
        return true;
      }
      drop(into, number);
    }
    return false;
  }

  private void drop(Frame frame, long number) {
    dropped++;
    if (Long.bitCount(dropped) == 1) {
      warnings.accept(
          ("dropped %s of step %d from rank %d: expected a frame after its frame %d, found frame"
                  + " %d, which came twice or too late; %d dropped so far")
              .formatted(
                  frame.kind(),
                  frame.step(),
                  frame.source(),
                  newest[frame.source()],
                  number,
                  dropped));
    }
    frame.release();
  }
}
