package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.random.Streams;
import org.junit.jupiter.api.Test;

class GradientCodingTest {
  private static Scheme coded(int workers, int stragglers, String code) {
    return Schemes.named("coded")
        .create(
            new SchemeOptions(10, workers)
                .with(GradientCoding.STRAGGLERS, stragglers)
                .with(GradientCoding.CODE, code));
  }

  private static GradientCode code(int workers, int stragglers, boolean cyclic) {
    return cyclic
        ? new CyclicRepetition(
            workers, stragglers, new Streams(Seeds.of(5)).stream("code", workers, 0))
        : new FractionalRepetition(stragglers);
  }

  /** Σ_i a_i B_ij = 1 for every batch j, with a_i = 0 for stragglers. */
  private static void assertRecovers(GradientCode code, int workers, int stragglers, int late) {
    boolean[] present = new boolean[workers];
    for (int i = 0; i < workers; i++) {
      present[i] = (late >> i & 1) == 0;
    }
    double[] weights = new double[workers];
    assertTrue(code.decode(present, weights));
    double[] sum = new double[workers];
    for (int i = 0; i < workers; i++) {
      assertTrue(present[i] || weights[i] == 0);
      for (int k = 0; k <= stragglers; k++) {
        sum[code.batch(i, k)] += weights[i] * code.coefficient(i, k);
      }
    }
    for (double one : sum) {
      assertEquals(1, one, 1e-8);
    }
  }

  @Test
  void theSumIsRecoveredForEveryStragglerSet() {
    int sets = 0;
    for (int workers = 1; workers <= 8; workers++) {
      for (int stragglers = 0; stragglers < workers; stragglers++) {
        for (int late = 0; late < 1 << workers; late++) {
          if (Integer.bitCount(late) == stragglers) {
            assertRecovers(code(workers, stragglers, true), workers, stragglers, late);
            if (workers % (stragglers + 1) == 0) {
              assertRecovers(code(workers, stragglers, false), workers, stragglers, late);
            }
            sets++;
          }
        }
      }
    }
    assertEquals(502, sets); // Σ over n = 1 … 8 of 2ⁿ − 1
  }

  @Test
  void oneStragglerTooManyIsNotRecovered() {
    boolean[] present = {true, false, false, true};
    assertFalse(code(4, 1, true).decode(present, new double[4]));
    present = new boolean[] {true, true, false, false};
    assertFalse(code(4, 1, false).decode(present, new double[4]));
  }

  @Test
  void anUpdateIsThatOfFixedMiniBatchWhoeverIsLate() {
    Scheme fmb = Schemes.named("fmb").create(new SchemeOptions(10, 4));
    TrainingRun expected = TrainingRun.plan(fmb, 4).rule("sgd", 0.2, 1e-3).steps(25).run();
    for (String code : new String[] {"cyclic", "fractional"}) {
      TrainingRun run =
          TrainingRun.plan(coded(4, 1, code), 4)
              .rule("sgd", 0.2, 1e-3)
              .delays(random -> random.nextDouble())
              .steps(25)
              .run();
      assertArrayEquals(expected.parameters, run.parameters, 2e-4f);
      for (int step = 0; step < 25; step++) {
        assertEquals(expected.steps().get(step).loss(), run.steps().get(step).loss(), 1e-4);
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
  void numbersThatDoNotFitAreRefused() {
    var e = assertThrows(UsageException.class, () -> coded(5, 1, "fractional"));
    assertTrue(e.getMessage().contains("expected a number of workers that 2 (s + 1) divides"));
    e = assertThrows(UsageException.class, () -> coded(3, 3, "cyclic"));
    assertEquals(
        "--coded-stragglers: expected 0 to 2 (less than the number of workers), found 3",
        e.getMessage());
  }
}
