package io.github.amb.core.update;

/**
 * Gradient descent with Nesterov's momentum: {@code a ← μ a + g; w ← w − η (g + μ a)}, with {@code
 * a = 0} at first.
 *
 * <p>Y. Nesterov, "A method for solving the convex programming problem with convergence rate
 * O(1/k²)", Soviet Mathematics Doklady 27 (1983), in the form of Sutskever et al., "On the
 * importance of initialization and momentum in deep learning", ICML 2013, written for w at the
 * point looked ahead to, as TensorFlow and PyTorch do. In Keras' form {@code a ← μ a + η g; w ← w −
 * (η g + μ a)}.
 */
public final class Nesterov extends AbstractUpdateRule {
  private final float momentum;
  private final boolean scaled;
  private final float[] accumulated;

  /**
   * Nesterov's momentum for a flat vector.
   *
   * @param parameters length of the flat vector
   * @param momentum μ, from 0 to less than 1
   * @param form the library whose definition is used
   */
  public Nesterov(int parameters, double momentum, RuleForm form) {
    super(new float[parameters]);
    this.momentum = (float) momentum;
    scaled = form == RuleForm.KERAS;
    accumulated = state().get(0);
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) learningRate;
    float inside = scaled ? rate : 1;
    float outside = scaled ? 1 : rate;
    float mu = momentum;
    float[] a = accumulated;
    for (int i = from; i < to; i++) {
      float g = inside * gradient[i];
      float next = mu * a[i] + g;
      a[i] = next;
      parameters[i] -= outside * (g + mu * next);
    }
  }
}
