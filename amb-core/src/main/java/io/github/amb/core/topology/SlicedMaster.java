package io.github.amb.core.topology;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;

/**
 * The master's end of {@link Topology#SLICED}: it sends each worker one slice of the parameters,
 * and joins the slices of the gradients' sum that workers have formed.
 */
final class SlicedMaster extends ForwardingCommunicator {
  private final int workers;
  private final Message out = new Message();
  private final Message last = new Message(); // the last worker's numbers, which wait for the sum
  private Slices slices;
  private Whole sum; // null before the first one
  private int contributors;
  private int come;
  private int flawedRank;
  private long flawedAt;

  SlicedMaster(Communicator link) {
    super(link);
    workers = link.size() - 1;
    slices = new Slices(0, workers);
  }

  @Override
  public boolean reduces(int length) {
    return Slices.cuts(length, workers);
  }

  private boolean spreads(int length) {
    return !relays() && Slices.cuts(length, workers);
  }

  /** No memory for what is cut into slices. */
  @Override
  public boolean lend(int to, Message message, int length) {
    return !(to == ANY && spreads(length)) && super.lend(to, message, length);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    if (message.kind() != Message.Kind.PARAMETERS || !spreads(message.length())) {
      super.broadcast(message, deadline);
      return;
    }
    Slices parts = new Slices(message.length(), workers);
    for (int rank = 1; rank <= workers; rank++) {
      lend(rank, out.resetLike(message), parts.length(rank));
      send(rank, parts.cut(message.payload(), rank, out), deadline);
    }
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    while (contributors < workers || come < workers) {
      if (!super.receive(from, into, deadline)) {
        return false;
      }
      boolean contributes = into.kind() == Message.Kind.GRADIENT && into.count() > 0;
      if (contributes) {
        agree(into).count(0).reduce();
        contributors++;
      }
      if (into.kind() == Message.Kind.SLICE) {
        join(into);
      } else if (contributes && contributors == workers) {
        into.moveTo(last);
      } else {
        return true;
      }
    }
    last.moveTo(into);
    sum.lendTo(into, slices.length());
    into.nonFiniteFrom(flawedRank);
    contributors = 0;
    come = 0;
    flawedRank = 0;
    return true;
  }

  /** Notes the length of a worker's vector, to which those of all others must be equal. */
  private Message agree(Message message) {
    if (contributors == 0 && come == 0) {
      slices = slices.of(message);
    }
    if (message.kind() == Message.Kind.GRADIENT && message.count() != slices.length()) {
      throw Slices.unfit(message, slices.length() + " values, as other workers have");
    }
    return message;
  }

  private void join(Message slice) {
    agree(slice);
    sum = Whole.with(sum, slices.length());
    slices.paste(slice, slice.source(), sum.floats());
    come++;
    boolean earlier = flawedRank == 0 || slice.examples() < flawedAt;
    if (slice.nonFiniteFrom() > 0 && earlier) {
      flawedRank = slice.nonFiniteFrom();
      flawedAt = slice.examples();
    }
    slice.release();
  }
}
