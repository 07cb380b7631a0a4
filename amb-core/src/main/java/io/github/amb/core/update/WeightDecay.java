package io.github.amb.core.update;

/**
 * L2 regularisation: adds {@code λ w} to the mean gradient, the gradient of {@code ½ λ ‖w‖²}.
 *
 * <p>The master applies it once per step, after the division by the number of examples, so that its
 * strength does not depend on the number of partitions or workers.
 *
 * @param coefficient λ, not negative; 0 for none
 */
public record WeightDecay(double coefficient) {
  /** No weight decay. */
  public static final WeightDecay NONE = new WeightDecay(0);

  /**
   * @throws IllegalArgumentException if {@code coefficient} is negative or not finite
   */
  public WeightDecay {
    if (!(coefficient >= 0 && coefficient < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "weight decay: expected a finite number of at least 0, found " + coefficient);
    }
  }

  /**
   * Adds the decay to entries {@code from} to {@code to − 1}.
   *
   * @param parameters the flat vector, w; not modified
   * @param gradient mean gradient; modified
   */
  void add(float[] parameters, float[] gradient, int from, int to) {
    float lambda = (float) coefficient;
    for (int i = from; i < to; i++) {
      gradient[i] += lambda * parameters[i];
    }
  }
}
