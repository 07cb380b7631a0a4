package io.github.amb.core;

/**
 * Upper bounds of the distance between the mean of n independent draws and its expectation. A
 * larger distance has a probability of at most 1e-10, for every distribution.
 */
public final class Deviation {
  private static final double RISK = 1e-10;

  private Deviation() {}

  /** The bound for numbers from an interval of length 1 (Hoeffding, 1963): √(ln(2 / risk) / 2n). */
  public static double ofMean(double draws) {
    return Math.sqrt(Math.log(2 / RISK) / (2 * draws));
  }

  /**
   * The bound for numbers with a known variance (Bernstein; Boucheron, Lugosi, Massart, 2013,
   * theorem 2.10).
   *
   * @param range largest distance from the expectation
   */
  public static double ofMean(double draws, double variance, double range) {
    double log = Math.log(2 / RISK);
    return Math.sqrt(2 * log * variance / draws) + range * log / (3 * draws);
  }

  /**
   * The bound for numbers whose variance is estimated from the draws (Maurer and Pontil: "Empirical
   * Bernstein Bounds", 2009, theorem 4).
   *
   * @param variance of the draws
   * @param range length of an interval that they lie in
   */
  public static double ofMeanByDraws(double draws, double variance, double range) {
    double log = Math.log(4 / RISK);
    return Math.sqrt(2 * log * variance / draws) + 7 * range * log / (3 * (draws - 1));
  }
}
