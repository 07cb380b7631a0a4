package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class NoiseTest {
  private static final double EXACT = 1e-12;

  /** 1,000 ticks: 600 idle, 300 busy of which 250 are ours, 100 stolen. */
  private static Noise.Shares shares() {
    CpuTimes before = CpuTimes.parse("cpu  100 10 20 500 5 3 2 40 7 0\ncpu0 1 1 1 1\n", 70);
    CpuTimes after = CpuTimes.parse("cpu  300 30 80 1090 15 13 12 140 9 0\ncpu0 1 1 1 1\n", 320);
    return new Noise.Shares(before, after);
  }

  @Test
  void whatTheBenchmarkTakesDoesNotCount() {
    assertEquals(0.05, shares().others(), EXACT);
  }

  @Test
  void stolenTimeCounts() {
    assertEquals(0.1, shares().stolen(), EXACT);
    assertFalse(new Noise.Verdict(false, Optional.of(shares()), 1, 1).quiet());
  }

  /** A name may hold blanks and parentheses. */
  @Test
  void ownTimeHasEndedChildren() {
    String stat = "42 (a) b) S 1 42 42 0 -1 4194560 9 8 7 6 100 20 3000 400 20 0 1 0 5 6 7";
    assertEquals(3520, CpuTimes.ownTicks(stat));
  }

  @Test
  void aVaryingLoopIsNotQuiet() {
    Optional<Noise.Shares> none = Optional.of(new Noise.Shares(0, 0));
    assertTrue(new Noise.Verdict(false, none, 1.05, 1.05).quiet());
    assertFalse(new Noise.Verdict(false, none, 1.2, 1.05).quiet());
    assertFalse(new Noise.Verdict(false, none, 1.05, 1.2).quiet());
  }
}
