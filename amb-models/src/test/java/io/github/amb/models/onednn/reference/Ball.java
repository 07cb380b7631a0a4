package io.github.amb.models.onednn.reference;

/**
 * A number, and how far from it a program may be that computes in float.
 *
 * <p>Each operation on floats errs by at most u = 2⁻²⁴ of its result (IEEE 754, round to nearest).
 * Such errors are assumed to be independent with mean 0 (Higham and Mary: "A New Approach to
 * Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41, 2019). By Hoeffding's lemma an
 * error within ±a is then sub-Gaussian with variance a², and the variances of a sum's terms add: it
 * is beyond λ deviations with a probability of at most 2 exp(−λ² / 2). Products of errors are left
 * out. Results that share an error are not independent: {@link #shared} is for those that are
 * summed again with one sign; to others, with weights of random signs, λ leaves room.
 *
 * @param value in double precision, whose own rounding, 2⁻⁵³, is left out
 * @param variance of float − value
 */
record Ball(double value, double variance) {
  /** The square of u, half the distance from 1 to the next float. */
  static final double UNIT = 0x1p-48;

  /**
   * Deviations within which a float is expected: one is beyond in 1 of 4e13. The tests compare
   * fewer than 1e7, so that one in a million runs of them fails for no fault.
   */
  static final double LAMBDA = 8;

  static Ball exact(double value) {
    return new Ball(value, 0);
  }

  /** What is left of it after one more operation. */
  private static Ball rounded(double value, double variance) {
    return new Ball(value, variance + UNIT * value * value);
  }

  /** Bound on |float − value|; results too small for a float are 0 or not. */
  double error() {
    return LAMBDA * Math.sqrt(variance) + Float.MIN_NORMAL;
  }

  /**
   * As one of m equal numbers that may be summed again: equal errors add up to as much as m
   * independent ones of m times their variance.
   */
  Ball shared(int m) {
    return new Ball(value, m * variance);
  }

  Ball plus(Ball other) {
    return rounded(value + other.value, variance + other.variance);
  }

  Ball minus(Ball other) {
    return rounded(value - other.value, variance + other.variance);
  }

  Ball times(Ball other) {
    double own = other.value * other.value * variance;
    return rounded(value * other.value, own + value * value * other.variance);
  }

  /** 1 / √x of a positive number; the root and the quotient are rounded. */
  Ball inverseRoot() {
    double result = 1 / Math.sqrt(value);
    double slope = result / (2 * value);
    return rounded(result, rounded(result, slope * slope * variance).variance);
  }
}
