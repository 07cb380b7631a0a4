package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * The order in which one worker processes the training examples, as {@link Sharding} defines it.
 *
 * <p>By default, all workers share one endless sequence: a new permutation of the training set per
 * epoch. Worker w of n takes every n-th entry, starting with entry w. So n workers that take B
 * examples each process the same examples as one worker that takes nB. As long as the workers keep
 * the same pace, no example is repeated before every other one has been used.
 */
public final class ExampleOrder implements Checkpointed {
  private final ExampleSplit split;
  private final int worker;
  private long taken;

  /**
   * An order of the shared sequence.
   *
   * @param streams source of the permutations; the same at every worker
   * @param examples size of the training set, positive
   * @param worker index of this worker, 0 to {@code workers} − 1
   * @param workers number of workers
   */
  public ExampleOrder(Streams streams, int examples, int worker, int workers) {
    this(new ExampleSequence(streams, examples), worker, workers);
  }

  /**
   * An order of a sequence that several workers in one process share.
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

  /** An order for simulations that read no examples: always the first example. */
  public static ExampleOrder unread() {
    return new ExampleOrder((worker, position) -> 0, 0);
  }

  /**
   * Reads this worker's next examples without taking them.
   *
   * @param batch receives an index of a training example in each entry; modified
   */
  public void peek(int[] batch) {
    for (int i = 0; i < batch.length; i++) {
      batch[i] = split.at(worker, taken + i);
    }
  }

  /** Takes the next {@code count} examples; {@link #peek} then starts after them. */
  public void advance(int count) {
    taken += count;
  }

  /**
   * The order of another worker of the same run, from its start. The same thread must use both
   * orders.
   */
  public ExampleOrder of(int worker) {
    return new ExampleOrder(split, worker);
  }

  /** Moves to the position after the first {@code count} examples. */
  public void seek(long count) {
    taken = count;
  }

  @Override
  public void visit(StateVisitor state) {
    taken = state.integer("taken", taken);
  }

  /** Number of this worker's examples in one pass over all; 0 if none is read. */
  public int size() {
    return split.size(worker);
  }

  /** Number of examples taken so far. */
  public long taken() {
    return taken;
  }
}
