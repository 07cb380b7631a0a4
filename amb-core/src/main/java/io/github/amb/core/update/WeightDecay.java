package io.github.amb.core.update;

/**
 * Weight decay. As L2 regularization it adds {@code λ w} to the mean gradient, the gradient of
 * {@code ½ λ ‖w‖²}; decoupled, it shrinks the weights, {@code w ← (1 − η λ) w}, before the update
 * rule, which does not see it (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR
 * 2019, as PyTorch's {@code AdamW} has it).
 *
 * <p>The master applies it once per step, after the division by the number of examples, so that its
 * strength does not depend on the number of partitions or workers.
 *
 * @param coefficient λ, not negative; 0 for none
 * @param decoupled whether it shrinks the weights
 * @param momentum m of the codec, which gradients have and decay is to have as well, from 0 to less
 *     than 1; not together with {@code decoupled}
 */
public record WeightDecay(double coefficient, boolean decoupled, double momentum) {
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

  /** Weight decay without momentum. */
  public WeightDecay(double coefficient, boolean decoupled) {
    this(coefficient, decoupled, 0);
  }

  /** L2 regularization. */
  public WeightDecay(double coefficient) {
    this(coefficient, false);
  }

  /**
   * Decays entries {@code from} to {@code to − 1}.
   *
   * @param parameters the flat vector, w; modified if decoupled
   * @param gradient mean gradient; modified unless decoupled
   * @param learningRate η of this step
   */
  void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    if (decoupled) {
      float rest = (float) (1 - learningRate * coefficient);
      for (int i = from; i < to; i++) {
        parameters[i] *= rest;
      }
    } else {
      add(parameters, gradient, from, to);
    }
  }

  private void add(float[] parameters, float[] gradient, int from, int to) {
    float lambda = (float) coefficient;
    for (int i = from; i < to; i++) {
      gradient[i] += lambda * parameters[i];
    }
  }
}
