package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NoiseTest {
  private static final double EXACT = 1e-12;

  /** 1,000 ticks: 600 idle, 300 busy of which 250 are ours, 100 stolen. */
  private static final CpuTimes BEFORE =
      CpuTimes.parse("cpu  100 10 20 500 5 3 2 40 7 0\ncpu0 1 1 1 1\n", 70);

  private static final CpuTimes AFTER =
      CpuTimes.parse("cpu  300 30 80 1090 15 13 12 140 9 0\ncpu0 1 1 1 1\n", 320);

  @Test
  void whatTheBenchmarkTakesDoesNotCount() {
    assertEquals(0.05, AFTER.othersSince(BEFORE), EXACT);
  }

  @Test
  void stolenTimeCounts() {
    assertEquals(0.1, AFTER.stolenSince(BEFORE), EXACT);
    assertFalse(new Noise.Verdict(false, 0, 0.1, 1, 1).quiet());
  }

  @Test
  void whatTheKernelDoesNotReportIsUnknown() {
    assertTrue(Double.isNaN(BEFORE.othersSince(BEFORE)));
    Noise.Verdict verdict = new Noise.Verdict(false, Double.NaN, Double.NaN, 1, 1);
    assertTrue(verdict.quiet() && verdict.toString().contains("unknown"), verdict.toString());
    assertFalse(verdict.facts().containsKey("others_share"));
  }

  /** A name may hold blanks and parentheses. */
  @Test
  void ownTimeHasEndedChildren() {
    String stat = "42 (a) b) S 1 42 42 0 -1 4194560 9 8 7 6 100 20 3000 400 20 0 1 0 5 6 7";
    assertEquals(3520, CpuTimes.ownTicks(stat));
  }

  @Test
  void aVaryingLoopIsNotQuiet() {
    assertTrue(new Noise.Verdict(false, 0, 0, 1.05, 1.05).quiet());
    assertFalse(new Noise.Verdict(false, 0, 0, 1.2, 1.05).quiet());
    assertFalse(new Noise.Verdict(false, 0, 0, 1.05, 1.2).quiet());
  }
}
