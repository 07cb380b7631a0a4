package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The endless sequence of training examples that all workers share: a fresh permutation of the
 * training set per epoch, one after the other. Keeps the permutations of the last few epochs asked
 * for. Used by one thread at a time.
 */
public final class ExampleSequence {
  private static final String PURPOSE = "example order";
  private static final int SLOTS = 2;

  private final Streams streams;
  private final int examples;
  private final int[][] permutations = new int[SLOTS][];
  private final long[] epochs = new long[SLOTS];

  /**
   * @param streams where the permutations come from; the same at every worker
   * @param examples size of the training set, positive
   */
  public ExampleSequence(Streams streams, int examples) {
    this.streams = streams;
    this.examples = examples;
    Arrays.fill(epochs, -1);
  }

  /** Index of the training example at {@code position}, from 0. */
  int at(long position) {
    return permutation(position / examples)[(int) (position % examples)];
  }

  private int[] permutation(long epoch) {
    int slot = (int) (epoch % SLOTS);
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
