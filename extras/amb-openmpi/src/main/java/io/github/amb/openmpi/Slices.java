package io.github.amb.openmpi;

/**
 * Divides a vector into one slice per worker, of nearly equal length.
 *
 * @param length length of the vector in floats
 * @param workers number of slices
 */
record Slices(int length, int workers) {
  /** Slices begin at cache lines of this many floats. */
  private static final int GRAIN = 16;

  /** Index of the first float of a worker's slice. */
  int begin(int rank) {
    return rank > workers ? length : (int) ((rank - 1L) * length / workers) / GRAIN * GRAIN;
  }

  /** Number of floats in a worker's slice. */
  int length(int rank) {
    return begin(rank + 1) - begin(rank);
  }
}
