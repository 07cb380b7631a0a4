package io.github.amb.core.update;

/**
 * Turns a mean gradient into new parameters. A step is one {@link #beginStep}, then {@link #apply}
 * once for every trainable range, in any partition of the vector.
 */
public interface UpdateRule {
  /** Starts the next step, so that rules that count steps advance once. */
  void beginStep();

  /**
   * Updates entries {@code from} to {@code to − 1}.
   *
   * @param parameters the flat vector; modified
   * @param gradient mean gradient, weight decay included; indices as of {@code parameters}; may be
   *     overwritten
   * @param learningRate this step's learning rate
   */
  void apply(float[] parameters, float[] gradient, int from, int to, double learningRate);
}
