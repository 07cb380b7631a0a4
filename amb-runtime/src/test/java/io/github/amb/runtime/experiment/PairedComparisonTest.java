package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.statistic.Band;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.runtime.experiment.PairedComparison.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairedComparisonTest {
  private static final double[] VARIANT = {1, 2, 4};
  private static final double[] BASELINE = {2, 4, 16};

  private static PairedEstimate of(Kind kind, double[] variant, double[] baseline) {
    RunMeasure measure =
        new RunMeasure("time", RunQuantity.TIME, Double.NaN, Double.NaN, "", 1, 1, 0, 0, false);
    return new PairedComparison("c", measure, "scheme", "fmb", "", List.of(), kind)
        .of(variant, baseline);
  }

  @Test
  void aRatioHasTheIntervalOfItsLogarithm() {
    Band band = of(Kind.SPEED_UP, VARIANT, BASELINE).band();

    // Ratios 2, 2, 4. Binary logarithms 1, 1, 2: mean 4/3, s = 1/sqrt(3). With
    // t(0.975, 2) = 4.302653 half the interval is t s / sqrt(3) = 1.434218.
    assertEquals(Math.pow(2, 4 / 3.0), band.mean(), 1e-12);
    assertEquals(Math.pow(2, 4 / 3.0 - 1.434218), band.low(), 1e-5);
    assertEquals(Math.pow(2, 4 / 3.0 + 1.434218), band.high(), 1e-5);
  }

  @Test
  void theInverseRatioHasTheInverseInterval() {
    Band up = of(Kind.SPEED_UP, VARIANT, BASELINE).band();
    Band ratio = of(Kind.RATIO, VARIANT, BASELINE).band();

    assertEquals(1 / up.mean(), ratio.mean(), 1e-12);
    assertEquals(1 / up.high(), ratio.low(), 1e-12);
    assertEquals(1 / up.low(), ratio.high(), 1e-12);
  }

  @Test
  void aDifferenceIsPairedBySeed() {
    Band band = of(Kind.DIFFERENCE, new double[] {11, 22, 33}, new double[] {10, 20, 30}).band();

    // Differences 1, 2, 3: s = 1, half the interval 4.302653 / sqrt(3) = 2.484138.
    assertEquals(2, band.mean(), 1e-12);
    assertEquals(2 - 2.484138, band.low(), 1e-6);
  }

  @Test
  void aSeedThatOneOfThemLacksIsLeftOut() {
    PairedEstimate estimate =
        of(Kind.RATIO, new double[] {3, Double.NaN, 8}, new double[] {1, 1, Double.NaN});

    assertEquals(1, estimate.seeds());
    assertEquals(3, estimate.band().mean(), 1e-12);
  }

  @Test
  void withoutASeedThereIsNoNumber() {
    PairedEstimate estimate = of(Kind.RATIO, new double[] {Double.NaN}, new double[] {1});

    assertEquals(0, estimate.seeds());
    assertTrue(Double.isNaN(estimate.band().mean()));
  }
}
