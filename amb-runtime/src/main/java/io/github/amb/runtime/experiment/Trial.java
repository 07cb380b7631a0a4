package io.github.amb.runtime.experiment;

import java.util.Comparator;
import java.util.Map;

/**
 * Settings that a search has tried.
 *
 * @param number from 1
 * @param values by the parameters' names
 * @param rung of the largest budget it has used, from 0; -1 before the first one
 * @param loss what it came to there, smaller is better; NaN if it has no number
 */
public record Trial(int number, Map<String, String> values, int rung, double loss) {
  /** The best one first: what got farther, then what is better; without a number last. */
  public static final Comparator<Trial> BEST_FIRST =
      Comparator.comparingInt((Trial one) -> -one.rung)
          .thenComparingDouble(Trial::loss)
          .thenComparingInt(Trial::number);

  /** The same with what it came to on a rung. */
  public Trial judged(int reached, double found) {
    return new Trial(number, values, reached, found);
  }
}
