package io.github.amb.core.statistic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BandTest {
  @Test
  void threeSeedsHaveStudentsInterval() {
    Band band = Band.of(new double[] {1, 2, 3});

    // t(0.975, 2 degrees of freedom) = 4.302653, s = 1, so 4.302653 / sqrt(3) = 2.484138.
    assertEquals(2, band.mean(), 1e-12);
    assertEquals(2 - 2.484138, band.low(), 1e-6);
    assertEquals(2 + 2.484138, band.high(), 1e-6);
  }

  @Test
  void tenSeedsHaveStudentsInterval() {
    Band band = Band.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});

    // s = 3.027650, t(0.975, 9) = 2.262157: half width 2.165852.
    assertEquals(5.5 - 2.165852, band.low(), 1e-5);
  }

  @Test
  void twoSeedsHaveTheirRange() {
    assertEquals(new Band(2, 1, 3), Band.of(new double[] {1, 3}));
    assertEquals(new Band(7, 7, 7), Band.of(new double[] {7}));
    assertEquals(new Band(7, 7, 7), Band.of(new double[] {7, 7, 7}));
  }

  /** With two degrees of freedom p is 1 - t / √(2 + t²), with one 1 - 2 / π arctan t. */
  @Test
  void aMeanHasThePValueOfStudentsTest() {
    double t = 2 * Math.sqrt(3);
    assertEquals(1 - t / Math.sqrt(2 + t * t), Band.of(new double[] {-1, -2, -3}).p(3), 1e-12);
    assertEquals(1 - 2 / Math.PI * Math.atan(2), Band.of(new double[] {1, 3}).p(2), 1e-12);
    assertEquals(0, Band.of(new double[] {7, 7, 7}).p(3));
    assertEquals(1, Band.of(new double[] {-1, 0, 1}).p(3));
    assertEquals(Double.NaN, Band.of(new double[] {7}).p(1));
  }
}
