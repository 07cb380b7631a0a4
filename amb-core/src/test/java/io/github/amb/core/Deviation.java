package io.github.amb.core;

/**
 * How far a mean of n independent draws may be from its expectation; beyond it is one run of 1e10,
 * whatever the distribution, so that a test may make many such comparisons.
 */
public final class Deviation {
  private static final double RISK = 1e-10;

  private Deviation() {}

  /** Of numbers from an interval of length 1 (Hoeffding, 1963): √(ln(2 / risk) / 2n). */
  public static double ofMean(double draws) {
    return Math.sqrt(Math.log(2 / RISK) / (2 * draws));
  }

  /**
   * Of numbers of which the variance is known (Bernstein; Boucheron, Lugosi, Massart, 2013, theorem
   * 2.10).
   *
   * @param range largest distance from the expectation
   */
  public static double ofMean(double draws, double variance, double range) {
    double log = Math.log(2 / RISK);
    return Math.sqrt(2 * log * variance / draws) + range * log / (3 * draws);
  }

  /**
   * Of numbers of which the variance is taken from the draws themselves (Maurer and Pontil:
   * "Empirical Bernstein Bounds", 2009, theorem 4).
   *
   * @param variance of the draws
   * @param range length of an interval that they lie in
   */
  public static double ofMeanByDraws(double draws, double variance, double range) {
    double log = Math.log(4 / RISK);
    return Math.sqrt(2 * log * variance / draws) + 7 * range * log / (3 * (draws - 1));
  }
}
