package io.github.amb.core.sim;

import io.github.amb.core.engine.Frame;
import java.util.Comparator;

/**
 * A message on its way. Messages are ordered by the time at which their first bit arrives, then by
 * the time of sending, then by the sender's rank.
 */
final class Message implements Comparable<Message> {
  private static final Comparator<Transit> ORDER =
      Comparator.comparingLong(Transit::first)
          .thenComparing(Transit::sent)
          .thenComparingInt(Transit::source)
          .thenComparingLong(Transit::number);

  /**
   * The way from one rank to another.
   *
   * @param source rank of the sender
   * @param sent when the sender sent it
   * @param first when its first bit reaches the receiver's link, nanoseconds
   * @param duration how long its bits take on a link, nanoseconds
   * @param number counts the source's messages
   */
  record Transit(int source, Moment sent, long first, long duration, long number) {}

  /** When its last bit has passed the receiver's link, in nanoseconds; set by the link. */
  long arrival;

  private final Transit transit;
  private final int generation;
  private final Frame.Kind kind;
  private final long step;
  private final long examples;
  private final double[] stats = new double[Frame.MAX_STATS];
  private final Payload payload;

  /**
   * @param generation the sender's generation
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

  /** Copies it into {@code frame}, whose payload array may be replaced. */
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
