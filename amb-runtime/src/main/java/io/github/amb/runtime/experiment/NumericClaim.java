package io.github.amb.runtime.experiment;

/**
 * What a page states of an experiment: that the mean of a number is in an interval.
 *
 * @param of name of a measure or of a comparison
 * @param variant whose number it is
 * @param says the claim in words; empty for none
 * @param low lower end
 * @param high upper end
 * @param authors the number of those whose experiment it is; NaN for none
 * @param place file and line
 */
public record NumericClaim(
    String of, String variant, String says, double low, double high, double authors, String place) {
  /** Whether a mean is in the interval; one that is NaN is not. */
  public boolean holds(double mean) {
    return mean >= low && mean <= high;
  }
}
