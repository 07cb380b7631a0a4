package io.github.amb.openmpi;

import io.github.amb.core.engine.EngineException;
import java.util.Arrays;

/**
 * One rank's part in summing a vector of each worker on the way to the master. Every worker
 * receives one slice of each other worker's vector, adds the slices in rank order, and sends the
 * sum to the master. The master so receives one vector instead of one per worker, and all share the
 * work. It is the first half of Rabenseifner's algorithm. The order of summation depends neither on
 * the factors of the number of ranks nor on the order of arrival.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of Collective Communication Operations in MPICH",
 * 2005. Used by one thread.
 */
abstract class Reduction {
  private final Requests requests;
  private final int[] receiving;
  private final int expected;
  private int missing;
  private Slices slices = new Slices(0, 1);
  private boolean agreed;
  private long bytes;

  /**
   * @param requests of this engine
   * @param size number of ranks
   * @param expected number of slices that this rank receives
   */
  Reduction(Requests requests, int size, int expected) {
    this.requests = requests;
    this.expected = expected;
    missing = expected;
    receiving = new int[size];
    Arrays.fill(receiving, Requests.NONE);
  }

  /** The slices of the vectors that are being summed. */
  final Slices slices() {
    return slices;
  }

  /** Bytes of received slices. */
  final long bytes() {
    return bytes;
  }

  /** Whether all slices have arrived. */
  final boolean isComplete() {
    return missing == 0;
  }

  /**
   * Records the length of a rank's vector.
   *
   * @throws EngineException if it differs from that of the other ranks' vectors
   */
  final void agree(int rank, int length) {
    if (!agreed) {
      agreed = true;
      if (slices.length() != length) {
        slices = new Slices(length, receiving.length - 1);
      }
    } else if (slices.length() != length) {
      throw new EngineException(
          "rank %d: expected a vector of %d floats, like those of the other workers, found %d"
              .formatted(rank, slices.length(), length));
    }
  }

  /** Receives the slice that {@code head} announces. */
  final void announced(int source, MpiHeader head) {
    agree(source, head.length());
    int slice = sliceFrom(source);
    int length = slices.length(slice);
    note(head);
    receiving[source] =
        requests.receive(
            room(source, length).pointer,
            Float.BYTES * offset(slice),
            Float.BYTES * length,
            source,
            Tags.SLICE);
  }

  /** Index of the slice that a rank sends to this one. */
  abstract int sliceFrom(int source);

  /** Memory for a slice. */
  abstract MpiPayload room(int source, int length);

  /** Offset of a slice in its memory, in floats. */
  abstract int offset(int slice);

  /** Records the other numbers in the header of a slice. */
  abstract void note(MpiHeader head);

  /** Handles what has arrived. */
  void advance() {
    for (int source = 0; source < receiving.length; source++) {
      if (receiving[source] != Requests.NONE
          && requests.isDone(receiving[source], "receive from", source)) {
        receiving[source] = Requests.NONE;
        missing--;
        bytes += (long) Float.BYTES * slices.length(sliceFrom(source));
      }
    }
  }

  /** Prepares for the next vectors. */
  final void finished() {
    missing = expected;
    agreed = false;
  }
}
