package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.util.Arrays;

/** Each worker has its own training examples, in a new permutation per epoch. */
final class Shards implements ExampleSplit {
  private final int[][] shards;
  private final ExampleSequence[] sequences;

  /**
   * @param shards {@code shards[w]} has the indices of worker w's examples, at least one; not
   *     copied
   * @param streams source of the permutations
   */
  Shards(int[][] shards, Streams streams) {
    this.shards = shards;
    sequences = new ExampleSequence[shards.length];
    Arrays.setAll(
        sequences, worker -> new ExampleSequence(streams, shards[worker].length, worker + 1));
  }

  @Override
  public int at(int worker, long position) {
    return shards[worker][sequences[worker].at(position)];
  }

  @Override
  public int size(int worker) {
    return shards[worker].length;
  }
}
