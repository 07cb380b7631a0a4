package io.github.amb.core.gradient;

/** Maps each worker's positions in its endless order to training examples. */
interface ExampleSplit {
  /**
   * Index of the training example at {@code position} (from 0) of worker {@code worker} (from 0).
   */
  int at(int worker, long position);

  /** Number of examples of a worker in one pass over all; 0 if none is read. */
  default int size(int worker) {
    return 0;
  }
}
