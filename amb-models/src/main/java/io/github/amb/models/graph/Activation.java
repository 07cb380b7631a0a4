package io.github.amb.models.graph;

import io.github.amb.models.dl4j.Gelu;
import java.util.Arrays;
import java.util.Optional;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationReLU6;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationTanH;

/** Functions of single values. */
public enum Activation {
  IDENTITY(ActivationIdentity.class),
  RELU(ActivationReLU.class),
  RELU6(ActivationReLU6.class),
  SIGMOID(ActivationSigmoid.class),
  TANH(ActivationTanH.class),
  GELU(Gelu.class),
  GELU_TANH(Gelu.class);

  private final Class<? extends IActivation> type;

  Activation(Class<? extends IActivation> type) {
    this.type = type;
  }

  /** Whether its derivative is computed from its result, instead of its argument. */
  public boolean hasDerivativeOfResult() {
    return type != Gelu.class;
  }

  /** The function of an activation layer; empty if it is not one of these. */
  public static Optional<Activation> alone(IActivation activation) {
    return activation instanceof Gelu gelu
        ? Optional.of(gelu.tanh() ? GELU_TANH : GELU)
        : of(activation);
  }

  /** The function within another layer, which keeps its result alone; empty if it has none. */
  public static Optional<Activation> of(IActivation activation) {
    return Arrays.stream(values())
        .filter(known -> known.hasDerivativeOfResult() && known.type.isInstance(activation))
        .findFirst()
        .filter(known -> known != RELU || isPlain((ActivationReLU) activation));
  }

  private static boolean isPlain(ActivationReLU relu) {
    return noneOrZero(relu.getThreshold())
        && noneOrZero(relu.getNegativeSlope())
        && noneOrZero(relu.getMax());
  }

  private static boolean noneOrZero(Double value) {
    return value == null || value == 0;
  }
}
