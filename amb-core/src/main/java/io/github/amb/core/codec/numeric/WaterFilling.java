package io.github.amb.core.codec.numeric;

/**
 * The probabilities pᵢ of keeping atoms λᵢ that minimize the variance Σλᵢ²/pᵢ subject to Σpᵢ = s
 * and pᵢ ≤ 1: pᵢ = min(1, |λᵢ|/τ), with τ such that the sum is s.
 *
 * <p>Wang et al.: "ATOMO: Communication-efficient Learning via Atomic Sparsification", NeurIPS
 * 2018, Algorithm 1, without its sorting.
 */
public final class WaterFilling {
  private WaterFilling() {}

  /**
   * Computes the level τ by iteration. Atoms above the current level are certain to be kept; the
   * others share the remaining budget, which gives the next, lower level.
   *
   * @param magnitudes |λᵢ|, in the first {@code count} entries; not modified
   * @param budget s, above 0
   * @return 0 if the number of atoms other than zero is at most the budget
   */
  public static double level(double[] magnitudes, int count, double budget) {
    int positive = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += magnitudes[i];
      positive += magnitudes[i] > 0 ? 1 : 0;
    }
    if (positive <= budget) {
      return 0;
    }
    double level = sum / budget;
    int certain = 0;
    while (true) {
      int above = 0;
      double rest = 0;
      for (int i = 0; i < count; i++) {
        above += magnitudes[i] > level ? 1 : 0;
        rest += magnitudes[i] > level ? 0 : magnitudes[i];
      }
      if (above <= certain) { // Fewer if rounding has put an atom at the level above it before.
        return level;
      }
      certain = above;
      level = rest / (budget - certain);
    }
  }

  /** The probability of keeping an atom; 0 if its magnitude is 0. */
  public static double probability(double magnitude, double level) {
    return magnitude == 0 ? 0 : Math.min(1, magnitude / level);
  }
}
