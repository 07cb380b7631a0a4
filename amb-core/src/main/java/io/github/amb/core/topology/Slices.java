package io.github.amb.core.topology;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import java.nio.FloatBuffer;

/**
 * Divides a vector into one slice per worker, of nearly equal length.
 *
 * @param length length of the vector in floats
 * @param workers number of slices
 */
record Slices(int length, int workers) {
  /** Slices of long vectors begin at cache lines of this many floats. */
  private static final int GRAIN = 16;

  /** These slices, or others if a message is of a vector of another length. */
  Slices of(Message message) {
    if (message.count() == length) {
      return this;
    }
    if (message.count() < workers || message.count() > Integer.MAX_VALUE / Float.BYTES) {
      throw unfit(message, "a slice of a vector of at least " + workers);
    }
    return new Slices((int) message.count(), workers);
  }

  /** Index of the first float of a worker's slice; of the end after the last one. */
  int begin(int rank) {
    int even = (int) ((rank - 1L) * length / workers);
    return rank > workers || length < (long) GRAIN * GRAIN * workers ? even : even / GRAIN * GRAIN;
  }

  /** Number of floats in a worker's slice. */
  int length(int rank) {
    return begin(rank + 1) - begin(rank);
  }

  /** Whether a vector can be cut into slices that all have something. */
  static boolean cuts(int length, int workers) {
    return length >= workers;
  }

  /**
   * Copies a slice of a vector to a message, in memory that it was lent, or its own.
   *
   * @param vector has all of it; not modified
   * @param rank whose slice
   * @return {@code into}
   */
  Message cut(FloatBuffer vector, int rank, Message into) {
    if (into.loan() == null) {
      into.ensureCapacity(length(rank));
    }
    into.payload().put(0, vector, begin(rank), length(rank));
    return into.count(length);
  }

  /**
   * Copies a slice from a message to the vector.
   *
   * @param rank whose slice
   * @throws MalformedMessageException if the message has no such slice
   */
  void paste(Message slice, int rank, FloatBuffer vector) {
    expect(slice, rank);
    vector.put(begin(rank), slice.payload(), 0, length(rank));
  }

  /** Expects a message with the slice of a worker. */
  void expect(Message slice, int rank) {
    if (slice.count() != length || slice.length() != length(rank)) {
      throw unfit(slice, "%d values of %d".formatted(length(rank), length));
    }
  }

  /** The exception for a message that is not as it must be. */
  static MalformedMessageException unfit(Message found, String expected) {
    return new MalformedMessageException(
        found.source(),
        "expected %s, found %s of step %d with %d of %d"
            .formatted(expected, found.kind(), found.step(), found.length(), found.count()));
  }
}
