package io.github.amb.core.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.Seeds;
import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExampleOrderTest {
  private static int[] take(ExampleOrder order, int count) {
    int[] batch = new int[count];
    order.peek(batch);
    order.advance(count);
    return batch;
  }

  @Property(tries = 100)
  void workersTogetherTakeWhatOneWorkerTakes(
      @ForAll @IntRange(min = 1, max = 7) int workers,
      @ForAll @IntRange(min = 7, max = 90) int examples,
      @ForAll @IntRange(min = 1, max = 40) int batch,
      @ForAll long seed) {
    ExampleOrder one = new ExampleOrder(new Streams(seed), examples, 0, 1);
    ExampleOrder[] many = new ExampleOrder[workers];
    Arrays.setAll(many, w -> new ExampleOrder(new Streams(seed), examples, w, workers));
    for (int step = 0; step < 5; step++) {
      int[] together =
          Arrays.stream(many).flatMapToInt(w -> Arrays.stream(take(w, batch))).sorted().toArray();
      int[] alone = take(one, workers * batch);
      Arrays.sort(alone);
      assertArrayEquals(alone, together);
    }
  }

  @Property(tries = 100)
  void everyEpochHasEveryExampleOnce(
      @ForAll @IntRange(min = 1, max = 200) int examples, @ForAll long seed) {
    ExampleOrder order = new ExampleOrder(new Streams(seed), examples, 0, 1);
    for (int epoch = 0; epoch < 3; epoch++) {
      int[] taken = take(order, examples);
      Arrays.sort(taken);
      assertArrayEquals(IntStream.range(0, examples).toArray(), taken);
    }
  }

  @Property(tries = 100)
  void aComputedPermutationHasEveryEntryOnce(
      @ForAll @IntRange(min = 1, max = 5000) int size, @ForAll long seed) {
    KeyedPermutation permutation = new KeyedPermutation(new Streams(seed), size);
    int[] entries = IntStream.range(0, size).map(permutation::at).sorted().toArray();
    assertArrayEquals(IntStream.range(0, size).toArray(), entries);
  }

  /** Sets in memory are never that large, and a network of few bits would not be uniform. */
  @Test
  void aComputedPermutationPrefersNoPart() {
    int draws = 20_000;
    int size = ExampleSequence.MAX_SHUFFLED + 3;
    int parts = 7;
    int[] counts = new int[parts * parts];
    for (int i = 0; i < draws; i++) {
      var permutation = new KeyedPermutation(new Streams(Seeds.of(i)), size);
      for (int index = 0; index < parts; index++) {
        counts[index * parts + (int) ((long) permutation.at(index) * parts / size)]++;
      }
    }
    // By Hoeffding, one of the shares is off by more than this with chance 1e-9.
    double bound = Math.sqrt(Math.log(2 * counts.length * 1e9) / (2 * draws));
    for (int count : counts) {
      assertEquals(1.0 / parts, count / (double) draws, bound);
    }
  }

  @Test
  void aLargeSetIsShuffledWithoutMemory() {
    int examples = Integer.MAX_VALUE - 8;
    ExampleOrder order = new ExampleOrder(new Streams(Seeds.of(1)), examples, 0, 1);
    int[] first = take(order, 100_000);
    assertEquals(first.length, Arrays.stream(first).distinct().count());
    // Half of the draws are in the upper half; by Hoeffding, off by more with chance 1e-9.
    double upper = Arrays.stream(first).filter(i -> i > examples / 2).count();
    double bound = Math.sqrt(Math.log(2e9) / (2 * first.length));
    assertEquals(0.5, upper / first.length, bound);
    order.seek(examples - 5);
    int[] across = take(order, 10);
    order.seek(examples);
    assertArrayEquals(Arrays.copyOfRange(across, 5, 10), take(order, 5));
    assertEquals(false, Arrays.equals(Arrays.copyOf(first, 5), Arrays.copyOfRange(across, 5, 10)));
  }

  @Test
  void epochsAreShuffledDifferently() {
    ExampleOrder order = new ExampleOrder(new Streams(Seeds.of(1)), 1000, 0, 1);
    int[] first = take(order, 1000);
    int[] second = take(order, 1000);
    long same = IntStream.range(0, 1000).filter(i -> first[i] == second[i]).count();
    assertEquals(true, same < 10);
  }

  @Test
  void whatIsNotTakenComesAgain() {
    ExampleOrder order = new ExampleOrder(new Streams(Seeds.of(1)), 50, 0, 1);
    int[] batch = new int[10];
    order.peek(batch);
    order.advance(4);
    int[] next = take(order, 6);
    assertArrayEquals(Arrays.copyOfRange(batch, 4, 10), next);
    assertEquals(10, order.taken());
  }

  /** A step of 300 workers goes through 3.2 epochs, which every worker's batch spans. */
  @Test
  void everyEpochIsShuffledAboutOnce() {
    int workers = 300;
    int steps = 20;
    ExampleSequence sequence = new ExampleSequence(new Streams(Seeds.of(1)), 6000);
    ExampleOrder[] orders = new ExampleOrder[workers];
    Arrays.setAll(orders, w -> new ExampleOrder(sequence, w, workers));
    for (int step = 0; step < steps; step++) {
      Arrays.stream(orders).forEach(order -> take(order, 64));
    }
    int epochs = steps * workers * 64 / 6000;
    assertEquals(epochs, sequence.shuffles, 0.1 * epochs);
  }

  @Property(tries = 50)
  void theOrderDoesNotDependOnWhatWasAskedForBefore(
      @ForAll List<@IntRange(max = 40) Integer> epochs, @ForAll long seed) {
    ExampleSequence one = new ExampleSequence(new Streams(seed), 5);
    for (int epoch : epochs) {
      ExampleSequence fresh = new ExampleSequence(new Streams(seed), 5);
      for (int i = 0; i < 5; i++) {
        assertEquals(fresh.at(epoch * 5L + i), one.at(epoch * 5L + i));
      }
    }
  }
}
