package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;

/**
 * A point in the order of the ranks' turns: by virtual time, then by rank. A rank that receives a
 * message without delay takes its next turn right after the sender's, in the sender's place. In its
 * turn a rank sees the messages that were sent before that moment. The order of threads has no
 * influence.
 *
 * @param time virtual nanoseconds, or {@link Clock#NEVER}
 * @param place the rank, or the one after whose turn this one comes
 */
record Moment(long time, int place) implements Comparable<Moment> {
  @Override
  public int compareTo(Moment other) {
    return time != other.time
        ? Long.compare(time, other.time)
        : Integer.compare(place, other.place);
  }

  boolean isBefore(Moment other) {
    return compareTo(other) < 0;
  }

  /** The later one. */
  static Moment later(Moment one, Moment other) {
    return one.isBefore(other) ? other : one;
  }

  /** The earlier one. */
  static Moment earlier(Moment one, Moment other) {
    return other.isBefore(one) ? other : one;
  }
}
