package io.github.amb.core.codec;

/**
 * The probabilities with which atoms are kept so that the variance Σλᵢ²/pᵢ is least while Σpᵢ = s
 * and pᵢ ≤ 1: pᵢ = min(1, |λᵢ|/τ), τ such that the sum is right.
 *
 * <p>Wang et al.: "ATOMO: Communication-efficient Learning via Atomic Sparsification", NeurIPS
 * 2018, Algorithm 1, without its sorting.
 */
final class WaterFilling {
  private WaterFilling() {}

  /**
   * The level τ: that of all atoms sharing the budget falls while those above it are certain and
   * leave the rest to share what they leave of it.
   *
   * @param magnitudes |λᵢ|, the first {@code count} count; not modified
   * @param budget s, above 0
   * @return 0 if all atoms that are not zero fit into the budget
   */
  static double level(double[] magnitudes, int count, double budget) {
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
      if (above == certain) {
        return level;
      }
      certain = above;
      level = rest / (budget - certain);
    }
  }

  /** The probability of an atom, 0 if λ is. */
  static double probability(double magnitude, double level) {
    return magnitude == 0 ? 0 : Math.min(1, magnitude / level);
  }
}
