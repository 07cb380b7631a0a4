package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * The order in which one worker meets the training examples.
 *
 * <p>As {@link Sharding} says; by default all workers share one endless sequence: a fresh
 * permutation of the training set per epoch, one after the other. Worker w of n takes every n-th
 * entry, from entry w on. So n workers that take B examples each have together taken the same
 * examples as one worker that takes nB, and no example comes twice before every other has come
 * once, as long as the workers keep the same pace.
 */
public final class ExampleOrder implements Checkpointed {
  private final ExampleSplit split;
  private final int worker;
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
    this(new SharedSequence(sequence, workers), worker);
  }

  ExampleOrder(ExampleSplit split, int worker) {
    this.split = split;
    this.worker = worker;
  }

  /** An order for those who study timing alone and look at no example: always the first one. */
  public static ExampleOrder unread() {
    return new ExampleOrder((worker, position) -> 0, 0);
  }

  /**
   * Looks at this worker's next examples without taking them.
   *
   * @param batch receives indices of training examples; modified
   */
  public void peek(int[] batch) {
    for (int i = 0; i < batch.length; i++) {
      batch[i] = split.at(worker, taken + i);
    }
  }

  /** Takes the next {@code count} examples, so that {@link #peek} starts behind them. */
  public void advance(int count) {
    taken += count;
  }

  /**
   * The order of another worker of the same run, from its start; used by the same thread as this
   * one.
   */
  public ExampleOrder of(int worker) {
    return new ExampleOrder(split, worker);
  }

  /** Goes on behind the first {@code count} examples, whatever has been taken before. */
  public void seek(long count) {
    taken = count;
  }

  @Override
  public void visit(StateVisitor state) {
    taken = state.integer("taken", taken);
  }

  /** Examples taken so far. */
  public long taken() {
    return taken;
  }
}
