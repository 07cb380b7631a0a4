package io.github.amb.models.dl4j;

import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.BaseActivationFunction;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.shade.jackson.annotation.JsonProperty;

/**
 * The Gaussian error linear unit, x Φ(x) (Hendrycks and Gimpel, 2016), or its approximation by a
 * hyperbolic tangent. DL4J has another approximation, and does not compute these.
 */
public final class Gelu extends BaseActivationFunction {
  @JsonProperty private boolean tanh;

  /** For deserialization. */
  Gelu() {}

  /**
   * @param tanh whether it is the approximation ½ x (1 + tanh(√(2 / π) (x + 0.044715 x³)))
   */
  public Gelu(boolean tanh) {
    this.tanh = tanh;
  }

  /** Whether it is the approximation. */
  public boolean tanh() {
    return tanh;
  }

  @Override
  public INDArray getActivation(INDArray in, boolean training) {
    throw SequenceLayer.only("activation", getClass());
  }

  @Override
  public Pair<INDArray, INDArray> backprop(INDArray in, INDArray epsilon) {
    throw SequenceLayer.only("activation", getClass());
  }

  @Override
  public String toString() {
    return tanh ? "gelu-tanh" : "gelu";
  }
}
