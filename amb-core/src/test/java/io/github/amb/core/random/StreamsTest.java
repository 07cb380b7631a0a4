package io.github.amb.core.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.Seeds;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class StreamsTest {
  /** For each of eight tests: one in 1e8 runs fails for no fault. */
  private static final double ALPHA = 1e-9;

  private static final Streams STREAMS = new Streams(Seeds.of(42));

  @Test
  void everyPurposeRankAndStepHasItsOwnSeed() {
    Set<Long> seeds = new HashSet<>();
    var purposes = List.of("delay", "draw", "order", "d", "de", "yaled", "");
    for (String purpose : purposes) {
      for (int rank = 0; rank < 100; rank++) {
        for (long step = 0; step < 200; step++) {
          seeds.add(STREAMS.seed(purpose, rank, step));
        }
      }
    }
    assertEquals(purposes.size() * 100 * 200, seeds.size());
  }

  @Test
  void rankAndStepAreNotInterchangeable() {
    for (int i = 0; i < 50; i++) {
      for (int j = 0; j < i; j++) {
        assertTrue(STREAMS.seed("x", i, j) != STREAMS.seed("x", j, i));
      }
    }
  }

  /** So that a run of one version can be repeated by another. */
  @Test
  void seedsStayWhatTheyAre() {
    assertEquals(-7601756021618481482L, new Streams(1).seed("delay", 1, 1));
    assertArrayEquals(
        new long[] {3362287488662153746L, 577034861881129597L},
        new Streams(1).stream("delay", 1, 1).longs(2).toArray());
  }

  @Test
  void theSameNameGivesTheSameStream() {
    long[] first = STREAMS.stream("delay", 3, 7).longs(100).toArray();
    assertArrayEquals(first, new Streams(Seeds.of(42)).stream("delay", 3, 7).longs(100).toArray());
    assertEquals(100, Arrays.stream(first).distinct().count());
  }

  @Test
  void oneBitOfRunSeedOrStepChangesHalfOfTheBits() {
    assertAvalanche(value -> new Streams(Seeds.of(value)).seed("delay", 1, 1));
    assertAvalanche(value -> STREAMS.seed("delay", 1, value));
    assertAvalanche(value -> STREAMS.seed("delay", (int) (value ^ (value >>> 32)), 1));
  }

  /** Each output bit flips with each input bit in half of 4000 cases. */
  private static void assertAvalanche(LongUnaryOperator hash) {
    int[][] flips = new int[64][64];
    int cases = 4000;
    for (int k = 0; k < cases; k++) {
      long value = k * 0x9E3779B97F4A7C15L;
      long plain = hash.applyAsLong(value);
      for (int in = 0; in < 64; in++) {
        long changed = plain ^ hash.applyAsLong(value ^ (1L << in));
        for (int out = 0; out < 64; out++) {
          flips[in][out] += (int) (changed >>> out) & 1;
        }
      }
    }
    for (int in = 0; in < 64; in++) {
      for (int out = 0; out < 64; out++) {
        assertEquals(
            0.5, (double) flips[in][out] / cases, Deviation.ofMean(cases), in + " to " + out);
      }
    }
  }

  @Test
  void seedsOfConsecutiveStepsAndRanksAreUniform() {
    assertUniform(LongStream.range(0, 100_000).map(step -> STREAMS.seed("delay", 1, step)));
    assertUniform(LongStream.range(0, 100_000).map(rank -> STREAMS.seed("delay", (int) rank, 1)));
    assertUniform(
        LongStream.range(0, 100_000).map(seed -> new Streams(Seeds.of(seed)).seed("delay", 1, 1)));
  }

  /** The first draws are what a step's only delay is made of. */
  @Test
  void firstDrawsOfConsecutiveStepsAreUniform() {
    assertUniform(
        LongStream.range(0, 100_000).map(step -> STREAMS.stream("delay", 1, step).nextLong()));
  }

  private static void assertUniform(LongStream values) {
    long[] high = new long[256];
    long[] low = new long[256];
    values.forEach(
        value -> {
          high[(int) (value >>> 56)]++;
          low[(int) (value & 255)]++;
        });
    assertTrue(ChiSquareTest.withDefaults().test(high).getPValue() > ALPHA);
    assertTrue(ChiSquareTest.withDefaults().test(low).getPValue() > ALPHA);
  }
}
