package io.github.amb.core.update;

/**
 * Training has diverged: the next step is impossible or useless. Parameters and all other state are
 * those after the last step.
 */
public class DivergedException extends ArithmeticException {
  /**
   * Maximum number of consecutive updates without examples, which happen if all results are
   * dropped.
   */
  public static final int MAX_EMPTY = 10;

  /**
   * @param found what was found, and where
   * @param ofResults whether single results are the cause, which could be dropped
   */
  public DivergedException(String found, boolean ofResults) {
    super(
        found
            + "; training has diverged, try a smaller learning rate"
            + (ofResults ? ", or drop such results with --non-finite drop" : ""));
  }
}
