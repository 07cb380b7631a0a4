package io.github.amb.core.update;

/**
 * Stochastic gradient descent: {@code w ← w − η g}.
 *
 * <p>H. Robbins and S. Monro, "A Stochastic Approximation Method", Annals of Mathematical
 * Statistics 22 (1951).
 */
public final class Sgd extends AbstractUpdateRule {
  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) learningRate;
    for (int i = from; i < to; i++) {
      parameters[i] -= rate * gradient[i];
    }
  }
}
