package io.github.amb.models.onednn.reference;

import java.util.List;

/** The Gaussian error linear unit, x Φ(x), or its approximation by a hyperbolic tangent. */
final class GaussianUnit implements Layer {
  /**
   * Variance of what a processor's approximation of erf or tanh is off by. No standard says;
   * oneDNN's polynomials are within a few units of rounding at 1, here 4.
   */
  private static final double APPROXIMATION = 16 * Ball.UNIT;

  /** Of a central difference, for bounds alone. */
  private static final double STEP = 1e-4;

  private final boolean tanh;
  private Values x;

  GaussianUnit(boolean tanh) {
    this.tanh = tanh;
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    x = inputs.get(0);
    Values result = x.like();
    for (int i = 0; i < x.size(); i++) {
      double z = x.value[i];
      double slope = slope(z);
      double own = z * z * (APPROXIMATION + Ball.UNIT);
      result.set(i, new Ball(z * share(z), slope * slope * x.variance[i] + own));
    }
    return result;
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    Values gradient = delta.like();
    for (int i = 0; i < delta.size(); i++) {
      double z = x.value[i];
      double bend = (slope(z + STEP) - slope(z - STEP)) / (2 * STEP);
      double own = (1 + z * z) * (APPROXIMATION + Ball.UNIT);
      var slope = new Ball(slope(z), bend * bend * x.variance[i] + own);
      gradient.set(i, delta.get(i).times(slope));
    }
    return List.of(gradient);
  }

  /** Φ(z), or what is in its place. */
  private double share(double z) {
    return tanh ? (1 + Math.tanh(argument(z))) / 2 : (1 + erf(z / Math.sqrt(2))) / 2;
  }

  private double slope(double z) {
    double density =
        tanh
            ? (1 - Math.pow(Math.tanh(argument(z)), 2))
                / 2
                * Math.sqrt(2 / Math.PI)
                * (1 + 3 * 0.044715 * z * z)
            : Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    return share(z) + z * density;
  }

  private static double argument(double z) {
    return Math.sqrt(2 / Math.PI) * (z + 0.044715 * z * z * z);
  }

  /** By the series 2 / √π e^(−z²) Σ 2ⁿ z²ⁿ⁺¹ / (2n + 1)!!, whose terms have one sign. */
  private static double erf(double z) {
    double term = z;
    double sum = z;
    for (int n = 1; Math.abs(term) > Math.ulp(sum); n++) {
      term *= 2 * z * z / (2 * n + 1);
      sum += term;
    }
    return 2 / Math.sqrt(Math.PI) * Math.exp(-z * z) * sum;
  }
}
