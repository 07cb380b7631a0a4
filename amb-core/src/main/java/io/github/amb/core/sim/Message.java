package io.github.amb.core.sim;

import io.github.amb.core.engine.Frame;
import java.util.Comparator;

/**
 * A frame on its way. Of two that come at the same time, the one comes first that was sent first,
 * then the one of the lower rank.
 */
final class Message implements Comparable<Message> {
  private static final Comparator<Transit> ORDER =
      Comparator.comparingLong(Transit::first)
          .thenComparing(Transit::sent)
          .thenComparingInt(Transit::source)
          .thenComparingLong(Transit::number);

  /**
   * The way from a rank to another.
   *
   * @param sent when the sender sent it
   * @param first when its first bit reaches the receiver's link, nanoseconds
   * @param duration how long its bits take on a link, nanoseconds
   * @param number counts the source's messages
   */
  record Transit(int source, Moment sent, long first, long duration, long number) {}

  /** When its last bit is through the receiver's link; known once the link has taken it. */
  long arrival;

  private final Transit transit;
  private final int generation;
  private final Frame.Kind kind;
  private final long step;
  private final long examples;
  private final double[] stats = new double[Frame.MAX_STATS];
  private final Payload payload;

  /**
   * @param generation the sender's
   */
  Message(Frame frame, Payload payload, Transit transit, int generation) {
    this.payload = payload;
    this.transit = transit;
    this.generation = generation;
    kind = frame.kind();
    step = frame.step();
    examples = frame.examples();
    for (int i = 0; i < stats.length; i++) {
      stats[i] = frame.stat(i);
    }
  }

  int source() {
    return transit.source();
  }

  Moment sent() {
    return transit.sent();
  }

  /** When its first bit reaches the receiver's link, nanoseconds. */
  long first() {
    return transit.first();
  }

  /** How long its bits take on a link, nanoseconds. */
  long duration() {
    return transit.duration();
  }

  /** The sender's generation. */
  int generation() {
    return generation;
  }

  /** Puts it into {@code frame}, whose payload array may be exchanged. */
  void into(Frame frame) {
    frame.reset(kind, step);
    frame.source(source());
    frame.examples(examples);
    for (int i = 0; i < stats.length; i++) {
      frame.stat(i, stats[i]);
    }
    payload.into(frame);
  }

  @Override
  public int compareTo(Message other) {
    return ORDER.compare(transit, other.transit);
  }
}
