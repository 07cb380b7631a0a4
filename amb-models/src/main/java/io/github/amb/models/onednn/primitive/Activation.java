package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

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
  IDENTITY(ActivationIdentity.class, 0, 0, 0),
  RELU(ActivationReLU.class, dnnl_eltwise_relu, dnnl_eltwise_relu_use_dst_for_bwd, 0),
  RELU6(ActivationReLU6.class, dnnl_eltwise_clip_v2, dnnl_eltwise_clip_v2_use_dst_for_bwd, 6),
  SIGMOID(ActivationSigmoid.class, dnnl_eltwise_logistic, dnnl_eltwise_logistic_use_dst_for_bwd, 0),
  TANH(ActivationTanH.class, dnnl_eltwise_tanh, dnnl_eltwise_tanh_use_dst_for_bwd, 0),
  GELU(Gelu.class, dnnl_eltwise_gelu_erf, dnnl_eltwise_gelu_erf, 0),
  GELU_TANH(Gelu.class, dnnl_eltwise_gelu_tanh, dnnl_eltwise_gelu_tanh, 0);

  private final Class<? extends IActivation> type;
  private final int forward;
  private final int backward;
  private final float most;

  Activation(Class<? extends IActivation> type, int forward, int backward, float most) {
    this.type = type;
    this.forward = forward;
    this.backward = backward;
    this.most = most;
  }

  /** The maximum of a clipping function, otherwise 0; oneDNN's argument beta. */
  public float most() {
    return most;
  }

  /** oneDNN's constant for the function. */
  int forward() {
    return forward;
  }

  /** oneDNN's constant for the function in training. */
  public int backward() {
    return backward;
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
