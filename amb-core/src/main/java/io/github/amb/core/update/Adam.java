package io.github.amb.core.update;

/**
 * Adam: {@code m ← β₁ m + (1 − β₁) g; v ← β₂ v + (1 − β₂) g²; w ← w − ηₜ m / (√v + ε)} with {@code
 * ηₜ = η √(1 − β₂ᵗ) / (1 − β₁ᵗ)} in step t, counted from 1, and {@code m = v = 0} at first.
 *
 * <p>D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015, in the more
 * efficient order of computation given before section 2.1, whose ε is the paper's ε̂. TensorFlow's
 * {@code AdamOptimizer} does the same with the same constants, and so does Keras. In PyTorch's form
 * ε is the paper's: {@code ε √(1 − β₂ᵗ)} takes its place here.
 *
 * <p>From a given step on v may stay as it is, with its correction: the rule of 1-bit Adam after
 * its warm-up, whose gradients may then be compressed (Tang et al., ICML 2021).
 */
public final class Adam extends AbstractUpdateRule {
  /** Decay of the first moment, β₁. */
  public static final double DEFAULT_BETA1 = 0.9;

  /** Decay of the second moment, β₂. */
  public static final double DEFAULT_BETA2 = 0.999;

  /** TensorFlow's ε. */
  public static final double DEFAULT_EPSILON = 1e-8;

  private final float beta1;
  private final float beta2;
  private final double epsilon;
  private final boolean corrected;
  private final boolean decouplesDecay;
  private final long varianceSteps;
  private final float[] firstMoment = state().get(0);
  private final float[] secondMoment = state().get(1);
  private double correction;
  private float addend;

  /**
   * Adam for a flat vector.
   *
   * @param parameters length of the flat vector
   * @param beta1 β₁, from 0 to less than 1
   * @param beta2 β₂, from 0 to less than 1
   * @param epsilon ε, positive
   * @param form the library whose definition of ε is used
   * @param decouplesDecay whether this is AdamW
   * @param varianceSteps steps after which v stays as it is
   */
  public Adam(
      int parameters,
      double beta1,
      double beta2,
      double epsilon,
      RuleForm form,
      boolean decouplesDecay,
      long varianceSteps) {
    super(new float[parameters], new float[parameters]);
    this.beta1 = (float) beta1;
    this.beta2 = (float) beta2;
    this.epsilon = epsilon;
    corrected = form == RuleForm.PYTORCH;
    this.decouplesDecay = decouplesDecay;
    this.varianceSteps = varianceSteps;
  }

  @Override
  public boolean decouplesDecay() {
    return decouplesDecay;
  }

  @Override
  public void beginStep() {
    super.beginStep();
    double root = Math.sqrt(1 - Math.pow(beta2, Math.min(steps(), varianceSteps)));
    correction = root / (1 - Math.pow(beta1, steps()));
    addend = (float) (corrected ? epsilon * root : epsilon);
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) (learningRate * correction);
    float b1 = beta1;
    float rest1 = 1 - beta1;
    boolean frozen = steps() > varianceSteps;
    float b2 = frozen ? 1 : beta2;
    float rest2 = frozen ? 0 : 1 - beta2;
    float eps = addend;
    float[] m = firstMoment;
    float[] v = secondMoment;
    for (int i = from; i < to; i++) {
      float g = gradient[i];
      float first = b1 * m[i] + rest1 * g;
      float second = b2 * v[i] + rest2 * g * g;
      m[i] = first;
      v[i] = second;
      parameters[i] -= rate * first / ((float) Math.sqrt(second) + eps);
    }
  }
}
