package io.github.amb.core.gradient;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.random.Streams;
import io.github.amb.core.statistic.Sorted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.ArraySampler;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;

/**
 * How the training examples are distributed to workers.
 *
 * @param kind the rule
 * @param alpha of kinds with random sizes, the parameter of Dirichlet's distribution: the smaller,
 *     the less equal; 0 for other kinds
 */
public record Sharding(Kind kind, double alpha) {
  /** Examples that a worker has at least if sizes are random, as far as there are so many. */
  public static final int MIN = 10;

  /** Dirichlet's distribution with a smaller parameter gives all to one worker. */
  private static final double MIN_ALPHA = 1e-3;

  private static final double MAX_ALPHA = 1e6;

  /** The rules. */
  public enum Kind {
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
    BY_CLASS,

    /**
     * The shares of the workers in each class are a draw from Dirichlet's distribution (Hsu et al.,
     * Measuring the Effects of Non-Identical Data Distribution, 2019).
     */
    DIRICHLET,

    /** The shares of the workers in all examples are such a draw; classes are mixed. */
    QUANTITY;

    private boolean isRandom() {
      return this == DIRICHLET || this == QUANTITY;
    }

    private String usage() {
      return this + (isRandom() ? ":ALPHA" : "");
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final Sharding SHARED = new Sharding(Kind.SHARED, 0);
  public static final Sharding STRIDED = new Sharding(Kind.STRIDED, 0);
  public static final Sharding CONTIGUOUS = new Sharding(Kind.CONTIGUOUS, 0);
  public static final Sharding BY_CLASS = new Sharding(Kind.BY_CLASS, 0);

  /** The names, as users type them, without arguments. */
  public static List<String> names() {
    return Arrays.stream(Kind.values()).map(Kind::toString).toList();
  }

  /** What users type, in words. */
  public static String usage() {
    return Arrays.stream(Kind.values()).map(Kind::usage).collect(Collectors.joining(", "))
        + " with ALPHA from "
        + MIN_ALPHA
        + " to "
        + (int) MAX_ALPHA;
  }

  /** Whether {@link #named} accepts a text. */
  public static boolean isName(String text) {
    String[] parts = text.split(":", 2);
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.toString().equals(parts[0]))
        .anyMatch(
            kind -> parts.length == 1 ? !kind.isRandom() : kind.isRandom() && isAlpha(parts[1]));
  }

  private static boolean isAlpha(String text) {
    return Decimal.is(text) && Decimal.real(text) >= MIN_ALPHA && Decimal.real(text) <= MAX_ALPHA;
  }

  /**
   * Returns the sharding that a text means, such as {@code shared} or {@code dirichlet:0.1}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Sharding named(String text) {
    if (!isName(text)) {
      throw new IllegalArgumentException("expected " + usage() + ", found '" + text + "'");
    }
    String[] parts = text.split(":", 2);
    Kind kind = Kind.valueOf(parts[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    return new Sharding(kind, parts.length == 1 ? 0 : Decimal.real(parts[1]));
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
    return new ExampleOrder(
        kind == Kind.SHARED
            ? new SharedSequence(new ExampleSequence(streams, examples), workers)
            : new Shards(shards(streams, examples, labels, workers), streams),
        0);
  }

  /**
   * The examples of each worker, not in the order of their use; where all workers share them, those
   * of the first epoch.
   *
   * @param streams source of random shares; the same at every worker
   * @param examples size of the training set, at least {@code workers}
   * @param labels class of each training example
   * @param workers number of workers
   */
  public int[][] shards(Streams streams, int examples, IntUnaryOperator labels, int workers) {
    int[] all = IntStream.range(0, examples).toArray();
    return switch (kind) {
      case SHARED, STRIDED -> strided(examples, workers);
      case CONTIGUOUS -> parts(all, workers);
      case BY_CLASS -> parts(byClass(examples, labels), workers);
      case DIRICHLET ->
          random(streams, classes(byClass(examples, labels), labels), examples, workers);
      case QUANTITY -> random(streams, List.of(all), examples, workers);
    };
  }

  /**
   * The number of training examples of each class, by worker.
   *
   * @param streams as in {@link #shards}
   * @param examples as in {@link #shards}
   * @param labels class of each training example, from 0 to {@code classes} − 1
   * @param workers number of workers
   */
  public int[][] counts(
      Streams streams, int examples, IntUnaryOperator labels, int workers, int classes) {
    int[][] counts = new int[workers][classes];
    int[][] shards = shards(streams, examples, labels, workers);
    for (int worker = 0; worker < workers; worker++) {
      for (int example : shards[worker]) {
        counts[worker][labels.applyAsInt(example)]++;
      }
    }
    return counts;
  }

  /** Divides each group at random; then those with too few get examples of those with most. */
  private int[][] random(Streams streams, List<int[]> groups, int examples, int workers) {
    List<List<Integer>> shards = new ArrayList<>();
    IntStream.range(0, workers).forEach(worker -> shards.add(new ArrayList<>()));
    for (int k = 0; k < groups.size(); k++) {
      UniformRandomProvider random = streams.stream("shards", 0, k);
      int[] group = groups.get(k);
      ArraySampler.shuffle(random, group);
      double[] shares =
          workers == 1
              ? new double[] {1}
              : DirichletSampler.symmetric(random, workers, alpha).sample();
      double end = 0;
      int from = 0;
      for (int worker = 0; worker < workers; worker++) {
        end += shares[worker];
        int to = worker == workers - 1 ? group.length : (int) (Math.min(end, 1) * group.length);
        for (int i = from; i < to; i++) {
          shards.get(worker).add(group[i]);
        }
        from = Math.max(from, to);
      }
    }
    fill(shards, Math.min(MIN, examples / workers), streams.stream("shards", 1, 0));
    return shards.stream()
        .map(shard -> shard.stream().mapToInt(Integer::intValue).sorted().toArray())
        .toArray(int[][]::new);
  }

  static void fill(List<List<Integer>> shards, int min, UniformRandomProvider random) {
    // A shard that has been filled has the minimum, and one that gives has more: never the same.
    PriorityQueue<Integer> givers =
        new PriorityQueue<>(
            Comparator.<Integer>comparingInt(worker -> -shards.get(worker).size())
                .thenComparing(Comparator.naturalOrder()));
    IntStream.range(0, shards.size())
        .filter(worker -> shards.get(worker).size() > min)
        .forEach(givers::add);
    for (List<Integer> shard : shards) {
      while (shard.size() < min) {
        int giver = givers.remove();
        List<Integer> largest = shards.get(giver);
        int taken = random.nextInt(largest.size());
        shard.add(largest.set(taken, largest.get(largest.size() - 1)));
        largest.remove(largest.size() - 1);
        givers.add(giver);
      }
    }
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
    return Sorted.of(IntStream.range(0, examples), Comparator.comparingInt(labels::applyAsInt));
  }

  /** The examples of each class, of which some may have none. */
  private static List<int[]> classes(int[] byClass, IntUnaryOperator labels) {
    List<int[]> classes = new ArrayList<>();
    int from = 0;
    while (from < byClass.length) {
      int to = from;
      while (to < byClass.length && labels.applyAsInt(byClass[to]) <= classes.size()) {
        to++;
      }
      classes.add(Arrays.copyOfRange(byClass, from, to));
      from = to;
    }
    return classes;
  }

  /** What users type. */
  @Override
  public String toString() {
    return kind.isRandom() ? kind + ":" + alpha : kind.toString();
  }
}
