package io.github.amb.openmpi;

/**
 * How a vector is cut into one slice per worker, of nearly the same length.
 *
 * @param length of the vector, in floats
 * @param workers number of slices
 */
record Slices(int length, int workers) {
  /** Slices begin at cache lines. */
  private static final int GRAIN = 16;

  /** Where a worker's slice begins. */
  int begin(int rank) {
    return rank > workers ? length : (int) ((rank - 1L) * length / workers) / GRAIN * GRAIN;
  }

  /** Floats in a worker's slice. */
  int length(int rank) {
    return begin(rank + 1) - begin(rank);
  }
}
