package io.github.amb.core.statistic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PairedEstimateTest {
  /** NumPy's percentile, with its usual method. */
  @Test
  void quartilesAreNumPys() {
    double[] values = {7, 1, 3, 10, 5};
    PairedEstimate.Quartiles odd = PairedEstimate.of(values).quartiles();
    PairedEstimate.Quartiles even = PairedEstimate.of(new double[] {4, 1, 2, 8}).quartiles();

    assertEquals(new PairedEstimate.Quartiles(3, 5, 7), odd);
    assertEquals(new PairedEstimate.Quartiles(1.75, 3, 5), even);
    assertEquals(7, values[0]);
  }

  @Test
  void oneValueIsItsQuartilesAndNoneHasNone() {
    double nan = Double.NaN;

    assertEquals(
        new PairedEstimate.Quartiles(2, 2, 2), PairedEstimate.of(new double[] {2}).quartiles());
    assertEquals(
        new PairedEstimate.Quartiles(nan, nan, nan), PairedEstimate.of(new double[0]).quartiles());
  }

  @Test
  void ratiosHaveTheirOwnQuartiles() {
    double[] over = {1, 4, Double.NaN};

    PairedEstimate ratios = PairedEstimate.ofRatios(over, new double[] {1, 1, 1});

    assertEquals(2, ratios.band().mean(), 1e-12);
    assertEquals(new PairedEstimate.Quartiles(1.75, 2.5, 3.25), ratios.quartiles());
  }
}
