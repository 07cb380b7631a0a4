package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;

/**
 * A permutation that is computed entry by entry, where one in memory would be too large: a Feistel
 * network of four rounds (Luby, Rackoff: "How to Construct Pseudorandom Permutations", SIAM J.
 * Comput. 17, 1988) on an even number of bits, repeated until its result is an entry.
 */
final class KeyedPermutation {
  private static final int ROUNDS = 4;

  private final Streams streams;
  private final int size;
  private final int half;
  private final long mask;

  /**
   * @param streams decide the permutation
   * @param size number of entries, positive
   */
  KeyedPermutation(Streams streams, int size) {
    this.streams = streams;
    this.size = size;
    half = (Integer.SIZE - Integer.numberOfLeadingZeros(size - 1) + 1) / 2;
    mask = (1L << half) - 1;
  }

  /** The entry at an index; both are from 0 to the size − 1. */
  int at(int index) {
    long entry = index;
    do {
      entry = network(entry);
    } while (entry >= size);
    return (int) entry;
  }

  private long network(long entry) {
    long left = entry >>> half;
    long right = entry & mask;
    for (int round = 0; round < ROUNDS; round++) {
      long next = left ^ streams.seed("", round, right) & mask;
      left = right;
      right = next;
    }
    return left << half | right;
  }
}
