package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Who gets which training examples. */
public enum Sharding {
  /** All examples to everybody: workers take turns in one sequence, permuted anew per epoch. */
  SHARED,

  /** Worker w of n has examples w, w + n, w + 2n, ... */
  STRIDED,

  /** Worker w of n has the w-th of n parts of the training set as it is. */
  CONTIGUOUS,

  /**
   * The same after sorting by class, so that each worker sees few classes (ESync's split by class).
   */
  BY_CLASS;

  /** The names, as users write them. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Sharding::toString).toList();
  }

  /**
   * The sharding of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Sharding named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /**
   * The order in which a worker meets examples; see {@link ExampleOrder#of} for the other workers.
   *
   * @param streams where permutations come from; the same at every worker
   * @param examples size of the training set, at least {@code workers}
   * @param labels class of each training example
   * @param workers number of workers
   */
  public ExampleOrder order(Streams streams, int examples, IntUnaryOperator labels, int workers) {
    return new ExampleOrder(split(streams, examples, labels, workers), 0);
  }

  private ExampleSplit split(Streams streams, int examples, IntUnaryOperator labels, int workers) {
    return switch (this) {
      case SHARED -> new SharedSequence(new ExampleSequence(streams, examples), workers);
      case STRIDED -> new Shards(strided(examples, workers), streams);
      case CONTIGUOUS ->
          new Shards(parts(IntStream.range(0, examples).toArray(), workers), streams);
      case BY_CLASS -> new Shards(parts(byClass(examples, labels), workers), streams);
    };
  }

  private static int[][] strided(int examples, int workers) {
    return IntStream.range(0, workers)
        .mapToObj(
            worker -> IntStream.iterate(worker, i -> i < examples, i -> i + workers).toArray())
        .toArray(int[][]::new);
  }

  /** Parts whose sizes differ by one at most. */
  private static int[][] parts(int[] examples, int workers) {
    int[][] parts = new int[workers][];
    for (int worker = 0; worker < workers; worker++) {
      int from = Math.toIntExact((long) examples.length * worker / workers);
      int to = Math.toIntExact((long) examples.length * (worker + 1) / workers);
      parts[worker] = Arrays.copyOfRange(examples, from, to);
    }
    return parts;
  }

  private static int[] byClass(int examples, IntUnaryOperator labels) {
    return IntStream.range(0, examples)
        .boxed()
        .sorted(Comparator.comparingInt(labels::applyAsInt))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
