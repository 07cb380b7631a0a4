package io.github.amb.core.update;

import java.util.Arrays;

/**
 * RMSProp: {@code s ← ρ s + (1 − ρ) g²; w ← w − η g / √(s + ε)}, with {@code s = 1} at first.
 *
 * <p>T. Tieleman and G. Hinton, "Lecture 6.5: RMSProp", COURSERA: Neural Networks for Machine
 * Learning (2012). Constants, initial value and the place of ε, inside the root, are those of
 * TensorFlow's {@code RMSPropOptimizer} without momentum, not centered. In the forms of PyTorch and
 * Keras {@code s = 0} at first, and in PyTorch's {@code w ← w − η g / (√s + ε)}.
 */
public final class RmsProp extends AbstractUpdateRule {
  /** TensorFlow's decay of the mean square, ρ. */
  public static final double DEFAULT_DECAY = 0.9;

  /** TensorFlow's ε. */
  public static final double DEFAULT_EPSILON = 1e-10;

  private final float decay;
  private final float inside;
  private final float outside;
  private final float[] meanSquare = state().get(0);

  /**
   * RMSProp for a flat vector.
   *
   * @param parameters length of the flat vector
   * @param decay ρ, from 0 to less than 1
   * @param epsilon ε, positive
   * @param form the library whose definition is used
   */
  public RmsProp(int parameters, double decay, double epsilon, RuleForm form) {
    super(new float[parameters]);
    this.decay = (float) decay;
    inside = form == RuleForm.PYTORCH ? 0 : (float) epsilon;
    outside = form == RuleForm.PYTORCH ? (float) epsilon : 0;
    Arrays.fill(meanSquare, form == RuleForm.TENSORFLOW ? 1 : 0);
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) learningRate;
    float rho = decay;
    float rest = 1 - decay;
    float eps = inside;
    float added = outside;
    float[] s = meanSquare;
    for (int i = from; i < to; i++) {
      float g = gradient[i];
      float next = rho * s[i] + rest * g * g;
      s[i] = next;
      parameters[i] -= rate * g / ((float) Math.sqrt(next + eps) + added);
    }
  }
}
