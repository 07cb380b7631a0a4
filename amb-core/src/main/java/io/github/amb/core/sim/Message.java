package io.github.amb.core.sim;

import io.github.amb.core.engine.Frame;

/** A frame on its way. */
final class Message implements Comparable<Message> {
  final int source;

  /** When its first bit reaches the receiver's link, nanoseconds. */
  final long first;

  /** How long its bits take on a link, nanoseconds. */
  final long duration;

  /** When its last bit is through the receiver's link; known once the link has taken it. */
  long arrival;

  boolean taken;

  private final long number;
  private final Frame.Kind kind;
  private final long step;
  private final long examples;
  private final double[] stats = new double[Frame.MAX_STATS];
  private final Payload payload;

  /**
   * @param number counts messages to one receiver, to tell those apart that come together
   */
  Message(Frame frame, int source, Payload payload, long first, long duration, long number) {
    this.source = source;
    this.payload = payload;
    this.first = first;
    this.duration = duration;
    this.number = number;
    kind = frame.kind();
    step = frame.step();
    examples = frame.examples();
    for (int i = 0; i < stats.length; i++) {
      stats[i] = frame.stat(i);
    }
  }

  /** Puts it into {@code frame}, whose payload array may be exchanged. */
  void into(Frame frame) {
    frame.reset(kind, step);
    frame.source(source);
    frame.examples(examples);
    for (int i = 0; i < stats.length; i++) {
      frame.stat(i, stats[i]);
    }
    payload.into(frame);
  }

  @Override
  public int compareTo(Message other) {
    return first != other.first
        ? Long.compare(first, other.first)
        : Long.compare(number, other.number);
  }
}
