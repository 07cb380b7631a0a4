package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;

/** Each worker has training examples of its own and meets them in a fresh permutation per epoch. */
final class Shards implements ExampleSplit {
  private final int[][] shards;
  private final ExampleSequence[] sequences;

  /**
   * @param shards {@code shards[w]} has the indices of worker w's examples, at least one
   * @param streams where the permutations come from
   */
  Shards(int[][] shards, Streams streams) {
    this.shards = shards;
    sequences = new ExampleSequence[shards.length];
    for (int worker = 0; worker < shards.length; worker++) {
      sequences[worker] = new ExampleSequence(streams, shards[worker].length, worker + 1);
    }
  }

  @Override
  public int at(int worker, long position) {
    return shards[worker][sequences[worker].at(position)];
  }
}
