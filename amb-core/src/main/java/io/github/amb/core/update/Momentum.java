package io.github.amb.core.update;

/**
 * Gradient descent with momentum: {@code a ← μ a + g; w ← w − η a}, or Nesterov's: {@code a ← μ a +
 * g; w ← w − η (g + μ a)}, with {@code a = 0} at first.
 *
 * <p>B. T. Polyak, "Some methods of speeding up the convergence of iteration methods", USSR
 * Computational Mathematics and Mathematical Physics 4 (1964), and Y. Nesterov, "A method for
 * solving the convex programming problem with convergence rate O(1/k²)", Soviet Mathematics Doklady
 * 27 (1983), in the form of Sutskever et al., "On the importance of initialization and momentum in
 * deep learning", ICML 2013, and of TensorFlow and PyTorch: the learning rate scales the
 * accumulated gradient, and parameters are those of the point looked ahead to. In Keras' form it
 * scales each gradient as it is added, {@code a ← μ a + η g; w ← w − a}, so that a rate that falls
 * counts for later gradients alone.
 */
public final class Momentum extends AbstractUpdateRule {
  /** Momentum μ of the predecessor programs. */
  public static final double DEFAULT_MOMENTUM = 0.9;

  private final float momentum;
  private final boolean scaled;
  private final boolean nesterov;
  private final float[] accumulated = state().get(0);

  /**
   * Momentum for a flat vector.
   *
   * @param parameters length of the flat vector
   * @param momentum μ, from 0 to less than 1
   * @param form the library whose definition is used
   * @param nesterov whether the step is Nesterov's
   */
  public Momentum(int parameters, double momentum, RuleForm form, boolean nesterov) {
    super(new float[parameters]);
    this.momentum = (float) momentum;
    this.nesterov = nesterov;
    scaled = form == RuleForm.KERAS;
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) learningRate;
    float inside = scaled ? rate : 1;
    float outside = scaled ? 1 : rate;
    float mu = momentum;
    float[] a = accumulated;
    boolean ahead = nesterov;
    for (int i = from; i < to; i++) {
      float g = inside * gradient[i];
      float next = mu * a[i] + g;
      a[i] = next;
      parameters[i] -= outside * (ahead ? g + mu * next : next);
    }
  }
}
