package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The order in which one worker meets the training examples.
 *
 * <p>All workers share one endless sequence: a fresh permutation of the training set per epoch, one
 * after the other. Worker w of n takes every n-th entry, from entry w on. So n workers that take B
 * examples each have together taken the same examples as one worker that takes nB, and no example
 * comes twice before every other has come once, as long as the workers keep the same pace.
 */
public final class ExampleOrder {
  private static final String PURPOSE = "example order";

  private final Streams streams;
  private final int examples;
  private final int worker;
  private final int workers;
  private final int[][] permutations = new int[2][];
  private final long[] epochs = {-1, -1};
  private long taken;

  /**
   * @param streams where the permutations come from; the same at every worker
   * @param examples size of the training set, positive
   * @param worker index of this worker, 0 to {@code workers} − 1
   * @param workers number of workers
   */
  public ExampleOrder(Streams streams, int examples, int worker, int workers) {
    this.streams = streams;
    this.examples = examples;
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
      long position = worker + workers * (taken + i);
      batch[i] = permutation(position / examples)[(int) (position % examples)];
    }
  }

  /** Takes the next {@code count} examples, so that {@link #peek} starts behind them. */
  public void advance(int count) {
    taken += count;
  }

  /** The order of another worker of the same run, from its start. */
  public ExampleOrder of(int worker) {
    return new ExampleOrder(streams, examples, worker, workers);
  }

  /** Goes on behind the first {@code count} examples, whatever has been taken before. */
  public void seek(long count) {
    taken = count;
  }

  /** Examples taken so far. */
  public long taken() {
    return taken;
  }

  private int[] permutation(long epoch) {
    int slot = (int) (epoch & 1);
    if (epochs[slot] != epoch) {
      if (permutations[slot] == null) {
        permutations[slot] = new int[examples];
      }
      shuffle(permutations[slot], streams.stream(PURPOSE, 0, epoch));
      epochs[slot] = epoch;
    }
    return permutations[slot];
  }

  private static void shuffle(int[] permutation, UniformRandomProvider random) {
    Arrays.setAll(permutation, i -> i);
    for (int i = permutation.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = permutation[i];
      permutation[i] = permutation[j];
      permutation[j] = swapped;
    }
  }
}
