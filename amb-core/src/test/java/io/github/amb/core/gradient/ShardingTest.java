package io.github.amb.core.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.amb.core.Seeds;
import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
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

  @Property(tries = 60)
  void togetherWorkersHaveEveryExampleOnce(
      @ForAll Sharding sharding,
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
  }
}
