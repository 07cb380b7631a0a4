package io.github.amb.core.sim;

import io.github.amb.core.engine.Message;

/**
 * A message on its way. Messages are ordered by the time at which their first bit arrives, then by
 * the time of sending, then by the sender's rank.
 */
final class MessageInTransit implements Comparable<MessageInTransit> {
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

  /** How many whole numbers describe a message, see {@link #numbers}. */
  static final int NUMBERS = 10;

  private static final int FIRST_GENERATION = 1;

  /** When its last bit has passed the receiver's link, in nanoseconds; set by the link. */
  long arrival;

  final Transit transit;

  /** The sender's. */
  final int generation;

  private final Message.Kind kind;
  private final long step;
  private final long examples;

  /** The message's {@link Message#numbers}; not modified. */
  final double[] header;

  final Payload payload;

  /**
   * @param generation the sender's generation
   */
  MessageInTransit(Message message, Payload payload, Transit transit, int generation) {
    this.payload = payload;
    this.transit = transit;
    this.generation = generation;
    kind = message.kind();
    step = message.step();
    examples = message.examples();
    header = message.numbers();
  }

  /**
   * A message that has been read from a checkpoint: fields as in {@link #numbers} and {@link
   * #header}.
   */
  MessageInTransit(long[] numbers, double[] header, Payload payload) {
    this.header = header;
    this.payload = payload;
    arrival = numbers[0];
    transit =
        new Transit(
            (int) numbers[1],
            new Moment(numbers[2], (int) numbers[3]),
            numbers[4],
            numbers[5],
            numbers[6]);
    kind = Message.Kind.values()[(int) numbers[7]];
    step = numbers[8];
    examples = numbers[9];
    generation = FIRST_GENERATION;
  }

  /** All whole numbers of a message of the first generation. */
  long[] numbers() {
    return new long[] {
      arrival,
      transit.source(),
      transit.sent().time(),
      transit.sent().place(),
      transit.first(),
      transit.duration(),
      transit.number(),
      kind.ordinal(),
      step,
      examples
    };
  }

  /** Copies it into {@code message}, whose payload array may be replaced. */
  void into(Message message) {
    message.reset(kind, step);
    message.source(transit.source);
    message.examples(examples);
    message.numbers(header);
    payload.into(message);
  }

  @Override
  public int compareTo(MessageInTransit other) {
    // A comparator of keys takes a tenth of a simulation with a thousand workers.
    Transit there = other.transit;
    if (transit.first != there.first) {
      return Long.compare(transit.first, there.first);
    }
    int bySending = transit.sent.compareTo(there.sent);
    if (bySending != 0) {
      return bySending;
    }
    return transit.source != there.source
        ? Integer.compare(transit.source, there.source)
        : Long.compare(transit.number, there.number);
  }
}
