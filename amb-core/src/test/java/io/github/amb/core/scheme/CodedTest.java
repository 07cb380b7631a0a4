package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodedTest {
  private static Scheme coded(int workers, int stragglers, String code) {
    return Schemes.named("coded")
        .create(
            new SchemeOptions(10, workers)
                .with(Coded.STRAGGLERS, stragglers)
                .with(Coded.CODE, code));
  }

  private static boolean[] present(int workers, int late) {
    boolean[] present = new boolean[workers];
    for (int i = 0; i < workers; i++) {
      present[i] = (late >> i & 1) == 0;
    }
    return present;
  }

  /** Σ_i a_i B_ij = 1 for every batch j, with a_i = 0 for stragglers. */
  private static void assertRecovers(GradientCode code, boolean[] present, int stragglers) {
    double[] weights = new double[present.length];
    assertTrue(code.decode(present, weights));
    double[] sum = new double[present.length];
    for (int i = 0; i < present.length; i++) {
      assertTrue(present[i] || weights[i] == 0);
      for (int k = 0; k <= stragglers; k++) {
        sum[code.batch(i, k)] += weights[i] * code.coefficient(i, k);
      }
    }
    double most = code.amplification();
    for (double one : sum) {
      assertEquals(1, one, 1e-13 * present.length * most);
    }
    double found = code.amplification(weights);
    assertTrue(found <= most * (1 + 1e-9), () -> found + " > " + most);
  }

  @Test
  void theSumIsRecoveredForEveryStragglerSet() {
    int sets = 0;
    for (int workers = 1; workers <= 11; workers++) {
      for (int stragglers = 0; stragglers < workers; stragglers++) {
        GradientCode code = new GradientCode(workers, stragglers);
        for (int late = 0; late < 1 << workers; late++) {
          if (Integer.bitCount(late) == stragglers) {
            assertRecovers(code, present(workers, late), stragglers);
            sets++;
          }
        }
      }
    }
    assertEquals(4083, sets); // Σ over n = 1 … 11 of 2ⁿ − 1
  }

  @Test
  void oneStragglerTooManyIsNotRecovered() {
    assertFalse(new GradientCode(5, 3).decode(present(5, 0b1111), new double[5]));
    assertFalse(new GradientCode(4, 1).decode(present(4, 0b1100), new double[4]));
  }

  /** Any workers may be late, also all neighbors, with which cyclic codes are worst. */
  @Property(tries = 300)
  void roundingStaysWithinItsBound(
      @ForAll @IntRange(min = 1, max = 60) int workers, @ForAll long seed) {
    Random random = new Random(seed);
    int stragglers = random.nextInt(Math.min(workers, 17));
    Assume.that(accepted(workers, stragglers));
    GradientCode code = new GradientCode(workers, stragglers);
    boolean[] present = new boolean[workers];
    Arrays.fill(present, true);
    int first = random.nextInt(workers);
    boolean neighbors = random.nextBoolean();
    for (int late = 0; late < stragglers; ) {
      int worker = neighbors ? (first + late) % workers : random.nextInt(workers);
      late += present[worker] ? 1 : 0;
      present[worker] = false;
    }
    assertRecovers(code, present, stragglers);
    assertRounds(code, present, stragglers, random);
  }

  private static boolean accepted(int workers, int stragglers) {
    return Coded.problems(new SchemeOptions(10, workers).with(Coded.STRAGGLERS, stragglers))
        .isEmpty();
  }

  /** Every result is rounded to a float, as on the wire, and so is the sum. */
  private static void assertRounds(
      GradientCode code, boolean[] present, int stragglers, Random random) {
    int workers = present.length;
    float[] batches = new float[workers];
    double exact = 0;
    double magnitudes = 0;
    for (int j = 0; j < workers; j++) {
      batches[j] = (float) random.nextGaussian();
      exact += batches[j];
      magnitudes += Math.abs(batches[j]);
    }
    double[] weights = new double[workers];
    assertTrue(code.decode(present, weights));
    double recovered = 0;
    for (int i = 0; i < workers; i++) {
      double sent = 0;
      for (int k = 0; k <= stragglers; k++) {
        sent += code.coefficient(i, k) * batches[code.batch(i, k)];
      }
      recovered += weights[i] * (float) sent;
    }
    double bound = 0x1p-24 * (code.amplification() + 1) * magnitudes * (1 + 1e-6);
    assertEquals(exact, (float) recovered, bound);
  }

  /** Random codes of Algorithm 2 reach 1.4e6, 1.8e6 and more. */
  @ParameterizedTest
  @CsvSource({
    "3, 1, 3",
    "10, 2, 4.3",
    "10, 3, 5.01",
    "10, 4, 1",
    "20, 5, 11",
    "40, 5, 13",
    "40, 10, 281"
  })
  void theAmplificationIsSmall(int workers, int stragglers, double most) {
    double found = new GradientCode(workers, stragglers).amplification();
    assertTrue(found <= most + 1e-9, () -> "amplification " + found);
  }

  @Test
  void upToEightStragglersOrTwoRingsWillDo() {
    for (int workers = 1; workers <= 60; workers++) {
      for (int stragglers = 0; stragglers < Math.min(workers, 20); stragglers++) {
        boolean few = stragglers <= 8 || stragglers <= 10 && workers >= 2 * (stragglers + 1);
        boolean whole = workers % (stragglers + 1) == 0;
        assertTrue(!few && !whole || accepted(workers, stragglers), workers + " " + stragglers);
      }
    }
  }

  @Test
  void codesThatAmplifyRoundingAreRejected() {
    var rejected = assertThrows(UsageException.class, () -> coded(31, 15, "cyclic"));
    assertTrue(
        rejected
            .getMessage()
            .matches(
                "--coded-stragglers: expected s with which rounding is amplified at most 10000 times, found 15, with which it is 8\\d{7} times for 31 workers; take s so that s \\+ 1 divides the number of workers"),
        rejected.getMessage());
  }

  @Test
  void groupsOfOneMoreThanStragglersSendPlainSums() {
    GradientCode code = new GradientCode(12, 3);
    double[] weights = new double[12];
    assertTrue(code.decode(present(12, 0b0111_1011_1101), weights));
    assertArrayEquals(new double[] {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, weights, 1e-12);
    for (int worker = 0; worker < 12; worker++) {
      for (int k = 0; k <= 3; k++) {
        assertEquals(1, code.coefficient(worker, k), 1e-12);
        assertEquals(worker / 4, code.batch(worker, k) / 4);
      }
    }
  }

  @Test
  void anUpdateIsThatOfFixedMiniBatchWhoeverIsLate() {
    Scheme fmb = Schemes.named("fmb").create(new SchemeOptions(10, 4));
    TrainingRun expected = TrainingRun.plan(fmb, 4).rule("sgd", 0.05, 1e-3).steps(25).run();
    for (String code : new String[] {"cyclic", "fractional"}) {
      TrainingRun run =
          TrainingRun.plan(coded(4, 1, code), 4)
              .rule("sgd", 0.05, 1e-3)
              .delays(random -> random.nextDouble())
              .steps(25)
              .run();
      expected.assertEqualButForRounding(run, 40);
      double loss = expected.steps().get(0).loss();
      // A sum of 40 floats, decoded with coefficients that round, too.
      assertEquals(loss, run.steps().get(0).loss(), 64 * 0x1p-24 * loss, "at equal parameters");
      for (int step = 0; step < 25; step++) {
        assertEquals(40, run.steps().get(step).numSamples());
      }
      assertTrue(run.drops().size() > 10);
      assertEquals(run.sent.size(), run.workers().size() + run.drops().size());
    }
  }

  /** Two batches of 10 ms each; one worker is late by a second. */
  @Test
  void aStepEndsWithoutTheStragglers() {
    TrainingRun run =
        TrainingRun.plan(coded(4, 1, "cyclic"), 4)
            .delaysByRank(rank -> random -> rank == 3 ? 1 : 0)
            .steps(5)
            .run();
    for (int step = 0; step < 5; step++) {
      assertEquals(0.02 * (step + 1), run.steps().get(step).time(), 1e-9);
      assertEquals(3, run.collections().get(step).workerCount());
    }
  }

  @Test
  void numbersThatDoNotFitAreRejected() {
    var e = assertThrows(UsageException.class, () -> coded(5, 1, "fractional"));
    assertTrue(e.getMessage().contains("expected a number of workers that 2 (s + 1) divides"));
    e = assertThrows(UsageException.class, () -> coded(3, 3, "cyclic"));
    assertEquals(
        "--coded-stragglers: expected 0 to 2 (less than the number of workers), found 3",
        e.getMessage());
  }
}
