package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;

/**
 * A point in the order in which ranks take their turns: by virtual time, at one time by rank. A
 * rank that is sent something in no time takes its next turn right after the sender's, in the
 * sender's place. What a rank sees is what was sent up to the moment of its turn, whichever thread
 * was first.
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
