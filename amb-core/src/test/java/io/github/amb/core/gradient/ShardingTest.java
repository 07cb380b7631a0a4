package io.github.amb.core.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.random.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ShardingTest {
  private static int[] epoch(Sharding sharding, int examples, int workers, int worker, int size) {
    ExampleOrder order =
        sharding.order(new Streams(Seeds.of(3)), examples, i -> i * 7 % 5, workers).of(worker);
    int[] batch = new int[size];
    order.peek(batch);
    order.advance(size);
    int[] next = new int[size];
    order.peek(next);
    Arrays.sort(batch);
    Arrays.sort(next);
    if (sharding != Sharding.SHARED) {
      assertArrayEquals(batch, next, "every epoch has the same examples");
    }
    return batch;
  }

  @Test
  void shardsOf11ExamplesFor3WorkersByHand() {
    assertArrayEquals(new int[] {1, 4, 7, 10}, epoch(Sharding.STRIDED, 11, 3, 1, 4));
    assertArrayEquals(new int[] {2, 5, 8}, epoch(Sharding.STRIDED, 11, 3, 2, 3));
    assertArrayEquals(new int[] {0, 1, 2}, epoch(Sharding.CONTIGUOUS, 11, 3, 0, 3));
    assertArrayEquals(new int[] {3, 4, 5, 6}, epoch(Sharding.CONTIGUOUS, 11, 3, 1, 4));
    // Labels 7i mod 5 are 0 2 4 1 3 0 2 4 1 3 0: sorted, examples 0 5 10 | 3 8 1 6 | 4 9 2 7.
    assertArrayEquals(new int[] {0, 5, 10}, epoch(Sharding.BY_CLASS, 11, 3, 0, 3));
    assertArrayEquals(new int[] {1, 3, 6, 8}, epoch(Sharding.BY_CLASS, 11, 3, 1, 4));
    assertArrayEquals(new int[] {2, 4, 7, 9}, epoch(Sharding.BY_CLASS, 11, 3, 2, 4));
  }

  @Test
  void aWorkerKnowsHowManyExamplesItHas() {
    assertEquals(4, Sharding.STRIDED.order(new Streams(1), 11, i -> 0, 3).of(1).size());
    assertEquals(3, Sharding.STRIDED.order(new Streams(1), 11, i -> 0, 3).of(2).size());
    assertEquals(3, Sharding.SHARED.order(new Streams(1), 11, i -> 0, 3).of(1).size());
    assertEquals(0, ExampleOrder.unread().size());
  }

  @Provide
  Arbitrary<Sharding> equal() {
    return Arbitraries.of(
        Sharding.SHARED, Sharding.STRIDED, Sharding.CONTIGUOUS, Sharding.BY_CLASS);
  }

  @Property(tries = 60)
  void togetherWorkersHaveEveryExampleOnce(
      @ForAll("equal") Sharding sharding,
      @ForAll @IntRange(min = 1, max = 9) int workers,
      @ForAll @IntRange(min = 9, max = 60) int examples) {
    int whole = examples / workers * workers;
    int[] all =
        IntStream.range(0, workers)
            .flatMap(
                worker -> Arrays.stream(epoch(sharding, whole, workers, worker, whole / workers)))
            .sorted()
            .toArray();
    if (sharding != Sharding.SHARED) {
      assertArrayEquals(IntStream.range(0, whole).toArray(), all);
    }
  }

  @Property(tries = 100)
  void randomSharesHaveEveryExampleOnceAndAMinimumEach(
      @ForAll("unequal") Sharding sharding,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 30) int workers,
      @ForAll @IntRange(min = 30, max = 400) int examples) {
    int[][] shards = sharding.shards(new Streams(seed), examples, i -> i * 7 % 5, workers);
    int[] all = Arrays.stream(shards).flatMapToInt(Arrays::stream).sorted().toArray();
    assertArrayEquals(IntStream.range(0, examples).toArray(), all);
    int min = Math.min(Sharding.MIN, examples / workers);
    assertTrue(Arrays.stream(shards).allMatch(shard -> shard.length >= min));
    assertArrayEquals(
        shards, sharding.shards(new Streams(seed), examples, i -> i * 7 % 5, workers));
  }

  @Provide
  Arbitrary<Sharding> unequal() {
    return Arbitraries.of("dirichlet:0.001", "dirichlet:0.1", "dirichlet:1e6", "quantity:0.5")
        .map(Sharding::named);
  }

  /**
   * With 5 workers and α = ½, a share is from Beta(½, 2), of variance 0.2 · 0.8 / 3.5 and kurtosis
   * 3.8. So the mean square of 2,000 draws has a relative standard deviation of 0.038. Rounding,
   * and the minimum of 10 examples, change it by less than 0.02.
   */
  private static void expectVariance(DoubleStream shares) {
    double variance = 0.2 * 0.8 / 3.5;
    double found = shares.map(share -> (share - 0.2) * (share - 0.2)).average().orElseThrow();
    assertEquals(variance, found, variance * (6 * 0.038 + 0.02));
  }

  @Test
  void sharesOfAClassHaveDirichletsVariance() {
    Sharding sharding = Sharding.named("dirichlet:0.5");
    expectVariance(
        IntStream.range(0, 200)
            .mapToObj(seed -> sharding.shards(new Streams(seed), 10_000, i -> i % 10, 5)[2])
            .flatMapToDouble(
                shard ->
                    IntStream.range(0, 10)
                        .mapToDouble(
                            k -> Arrays.stream(shard).filter(i -> i % 10 == k).count() / 1000.0)));
  }

  @Test
  void quantityMixesClassesInUnequalSizes() {
    Sharding sharding = Sharding.named("quantity:0.5");
    expectVariance(
        IntStream.range(0, 2000)
            .mapToDouble(
                seed -> sharding.shards(new Streams(seed), 1000, i -> 0, 5)[2].length / 1000.0));
    for (int[] shard : sharding.shards(new Streams(1), 60_000, i -> i % 4, 6)) {
      double share = Arrays.stream(shard).filter(i -> i % 4 == 0).count() / (double) shard.length;
      assertEquals(0.25, share, 6 * Math.sqrt(0.25 * 0.75 / shard.length));
    }
  }

  @Test
  void workersShuffleTheirShardsDifferently() {
    int[][] batches = new int[2][50];
    ExampleOrder first = Sharding.STRIDED.order(new Streams(Seeds.of(3)), 100, i -> 0, 2);
    for (int worker = 0; worker < 2; worker++) {
      first.of(worker).peek(batches[worker]);
    }
    long same = IntStream.range(0, 50).filter(i -> batches[0][i] + 1 == batches[1][i]).count();
    assertNotEquals(50, same);
  }

  @Test
  void sharedIsTheOrderWithoutSharding() {
    int[] expected = new int[20];
    new ExampleOrder(new Streams(Seeds.of(3)), 30, 1, 2).peek(expected);
    int[] found = new int[20];
    Sharding.SHARED.order(new Streams(Seeds.of(3)), 30, i -> 0, 2).of(1).peek(found);
    assertArrayEquals(expected, found);
  }

  @Test
  void namesAreWrittenWithDashes() {
    assertEquals("by-class", Sharding.BY_CLASS.toString());
    assertEquals(Sharding.BY_CLASS, Sharding.named("by-class"));
    assertEquals("dirichlet:0.1", Sharding.named("dirichlet:.1").toString());
    for (String wrong : List.of("dirichlet", "dirichlet:0", "shared:1", "quantity:x", "")) {
      assertFalse(Sharding.isName(wrong), wrong);
      assertThrows(IllegalArgumentException.class, () -> Sharding.named(wrong));
    }
  }

  /** What is said of filling, word by word: each lacking example from the first largest shard. */
  @Property(tries = 100)
  void whatLacksIsTakenFromTheLargest(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int n) {
    var random = new Random(seed);
    List<List<Integer>> found = new ArrayList<>();
    List<List<Integer>> expected = new ArrayList<>();
    int examples = 0;
    for (int worker = 0; worker < n; worker++) {
      List<Integer> shard = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        shard.add(examples++);
      }
      found.add(new ArrayList<>(shard));
      expected.add(shard);
    }
    int min = examples / n;
    var draws = new Streams(seed).stream("shards", 1, 0);
    for (List<Integer> shard : expected) {
      while (shard.size() < min) {
        List<Integer> largest = expected.get(0);
        for (List<Integer> other : expected) {
          largest = other.size() > largest.size() ? other : largest;
        }
        int taken = draws.nextInt(largest.size());
        shard.add(largest.set(taken, largest.get(largest.size() - 1)));
        largest.remove(largest.size() - 1);
      }
    }
    Sharding.fill(found, min, new Streams(seed).stream("shards", 1, 0));
    assertEquals(expected, found);
  }
}
