package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * An endless sequence of training examples: one new permutation of them per epoch. Used by one
 * thread at a time.
 *
 * <p>Keeps the permutations of the most recent epochs. It starts with two, and keeps one more
 * whenever it has to recompute one, as happens if the batches of many workers span epochs. Of more
 * than {@value #MAX_SHUFFLED} examples it keeps none, but computes each entry.
 */
public final class ExampleSequence {
  private static final String PURPOSE = "example order";
  private static final int FEWEST_KEPT = 2;

  /** Maximum number of entries of all permutations kept, 32 MB, unless two have more. */
  private static final int MAX_ENTRIES = 8 << 20;

  /** Maximum number of examples whose permutations are in memory, 64 MB each. */
  static final int MAX_SHUFFLED = 1 << 24;

  private final Streams streams;
  final int examples;
  private final int rank;
  private final int maxKept;
  private final List<Permutation> kept = new ArrayList<>();
  private Permutation current = new Permutation(-1, new int[0]);
  private KeyedPermutation computed;
  private long computedEpoch = -1;
  private int capacity = FEWEST_KEPT;
  private long newest = -1;
  private long uses;

  /** Number of permutations computed so far. */
  long shuffles;

  /** The permutation of one epoch. */
  private static final class Permutation {
    final int[] entries;
    long epoch;
    long lastUse;

    Permutation(long epoch, int[] entries) {
      this.epoch = epoch;
      this.entries = entries;
    }
  }

  /**
   * A sequence that all workers share.
   *
   * @param streams source of the permutations; the same at every worker
   * @param examples size of the training set, positive
   */
  public ExampleSequence(Streams streams, int examples) {
    this(streams, examples, 0);
  }

  /**
   * @param streams source of the permutations
   * @param examples number of examples, positive
   * @param rank the owner of the sequence, 0 if all workers share it
   */
  ExampleSequence(Streams streams, int examples, int rank) {
    this.streams = streams;
    this.examples = examples;
    this.rank = rank;
    maxKept = Math.max(FEWEST_KEPT, MAX_ENTRIES / examples);
  }

  /** Index of the training example at {@code position}, from 0. */
  int at(long position) {
    long epoch = position / examples;
    if (examples > MAX_SHUFFLED) {
      return computed(epoch).at((int) (position % examples));
    }
    if (current.epoch != epoch) {
      current = permutation(epoch);
      uses++;
      current.lastUse = uses;
    }
    return current.entries[(int) (position % examples)];
  }

  private KeyedPermutation computed(long epoch) {
    if (computedEpoch != epoch) {
      computed = new KeyedPermutation(new Streams(streams.seed(PURPOSE, rank, epoch)), examples);
      computedEpoch = epoch;
    }
    return computed;
  }

  private Permutation permutation(long epoch) {
    for (Permutation permutation : kept) {
      if (permutation.epoch == epoch) {
        return permutation;
      }
    }
    if (epoch < newest) {
      capacity = Math.min(maxKept, capacity + 1);
    }
    newest = Math.max(newest, epoch);
    Permutation permutation = kept.size() < capacity ? add() : leastRecentlyUsed();
    permutation.epoch = epoch;
    shuffle(permutation.entries, streams.stream(PURPOSE, rank, epoch));
    shuffles++;
    return permutation;
  }

  private Permutation add() {
    Permutation permutation = new Permutation(-1, new int[examples]);
    kept.add(permutation);
    return permutation;
  }

  private Permutation leastRecentlyUsed() {
    Permutation oldest = kept.get(0);
    for (Permutation permutation : kept) {
      oldest = permutation.lastUse < oldest.lastUse ? permutation : oldest;
    }
    return oldest;
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
