package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** How the training examples are distributed to workers. */
public enum Sharding {
  /** Workers take turns in one sequence of all examples, newly permuted per epoch. */
  SHARED,

  /** Worker w of n has examples w, w + n, w + 2n, ... */
  STRIDED,

  /** Worker w of n has the w-th of n contiguous parts of the training set. */
  CONTIGUOUS,

  /**
   * Worker w of n has the w-th of n contiguous parts of the training set sorted by class, so each
   * worker has few classes (ESync's split by class).
   */
  BY_CLASS;

  /** The names, as users type them. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Sharding::toString).toList();
  }

  /**
   * Returns the sharding with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Sharding named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /**
   * The order of worker 0; {@link ExampleOrder#of} gives those of the other workers.
   *
   * @param streams source of the permutations; the same at every worker
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

  /** Splits into {@code workers} parts whose sizes differ by at most one. */
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
