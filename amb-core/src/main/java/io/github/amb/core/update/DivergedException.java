package io.github.amb.core.update;

/**
 * Training has diverged: the next step cannot be done, or further ones would be in vain. Parameters
 * and all that goes with them are as the last step has left them.
 */
public class DivergedException extends ArithmeticException {
  /**
   * After so many updates in a row without examples, as every result was left out, no more come.
   */
  public static final int MOST_EMPTY = 10;

  private static final long serialVersionUID = 1L;

  /**
   * @param found what was found, and where
   * @param ofResults whether it is due to single results, which could be left out
   */
  public DivergedException(String found, boolean ofResults) {
    super(
        found
            + "; training has diverged, try a smaller learning rate"
            + (ofResults ? ", or leave such results out with --non-finite drop" : ""));
  }
}
