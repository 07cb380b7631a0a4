package io.github.amb.core.update;

/**
 * Gradient descent with Nesterov's momentum: {@code a ← μ a + g; w ← w − η (g + μ a)}, with {@code
 * a = 0} at first.
 *
 * <p>Y. Nesterov, "A method for solving the convex programming problem with convergence rate
 * O(1/k²)", Soviet Mathematics Doklady 27 (1983), in the form of Sutskever et al., "On the
 * importance of initialization and momentum in deep learning", ICML 2013, written for w at the
 * point looked ahead to.
 */
public final class Nesterov extends AbstractUpdateRule {
  private final float momentum;
  private final float[] accumulated;

  /**
   * Nesterov's momentum for a flat vector.
   *
   * @param parameters length of the flat vector
   * @param momentum μ, from 0 to less than 1
   */
  public Nesterov(int parameters, double momentum) {
    super(new float[parameters]);
    this.momentum = (float) momentum;
    accumulated = state().get(0);
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) learningRate;
    float mu = momentum;
    float[] a = accumulated;
    for (int i = from; i < to; i++) {
      float next = mu * a[i] + gradient[i];
      a[i] = next;
      parameters[i] -= rate * (gradient[i] + mu * next);
    }
  }
}
