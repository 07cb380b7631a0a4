package io.github.amb.core.gradient;

/**
 * All workers share one sequence: worker w of n takes every n-th entry, starting with entry w.
 *
 * @param sequence of all training examples
 * @param workers number of workers
 */
record SharedSequence(ExampleSequence sequence, int workers) implements ExampleSplit {
  @Override
  public int at(int worker, long position) {
    return sequence.at(worker + workers * position);
  }

  @Override
  public int size(int worker) {
    return Math.max(1, sequence.examples / workers);
  }
}
