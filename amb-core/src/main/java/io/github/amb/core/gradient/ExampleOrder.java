package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;

/**
 * The order in which one worker meets the training examples.
 *
 * <p>All workers share one endless sequence: a fresh permutation of the training set per epoch, one
 * after the other. Worker w of n takes every n-th entry, from entry w on. So n workers that take B
 * examples each have together taken the same examples as one worker that takes nB, and no example
 * comes twice before every other has come once, as long as the workers keep the same pace.
 */
public final class ExampleOrder {
  private final ExampleSequence sequence;
  private final int worker;
  private final int workers;
  private long taken;

  /**
   * @param streams where the permutations come from; the same at every worker
   * @param examples size of the training set, positive
   * @param worker index of this worker, 0 to {@code workers} − 1
   * @param workers number of workers
   */
  public ExampleOrder(Streams streams, int examples, int worker, int workers) {
    this(new ExampleSequence(streams, examples), worker, workers);
  }

  /**
   * The same, where many workers share one process and so one copy of the sequence.
   *
   * @param sequence used by all of them
   * @param worker index of this worker, 0 to {@code workers} − 1
   * @param workers number of workers
   */
  public ExampleOrder(ExampleSequence sequence, int worker, int workers) {
    this.sequence = sequence;
    this.worker = worker;
    this.workers = workers;
  }

  /**
   * Looks at this worker's next examples without taking them.
   *
   * @param batch receives indices of training examples; modified
   */
  public void peek(int[] batch) {
    for (int i = 0; i < batch.length; i++) {
      batch[i] = sequence.at(worker + workers * (taken + i));
    }
  }

  /** Takes the next {@code count} examples, so that {@link #peek} starts behind them. */
  public void advance(int count) {
    taken += count;
  }

  /** The order of another worker of the same run, from its start. */
  public ExampleOrder of(int worker) {
    return new ExampleOrder(sequence, worker, workers);
  }

  /** Goes on behind the first {@code count} examples, whatever has been taken before. */
  public void seek(long count) {
    taken = count;
  }

  /** Examples taken so far. */
  public long taken() {
    return taken;
  }
}
