package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Activation;

/**
 * oneDNN's constants for an activation.
 *
 * @param forward for the function
 * @param training for the function in training
 * @param most the maximum of a clipping function, otherwise 0; oneDNN's argument beta
 */
public record EltwiseFunction(int forward, int training, float most) {
  /** The constants for {@code activation}, which is not the identity. */
  public static EltwiseFunction of(Activation activation) {
    return switch (activation) {
      case RELU -> of(dnnl_eltwise_relu, dnnl_eltwise_relu_use_dst_for_bwd);
      case RELU6 ->
          new EltwiseFunction(dnnl_eltwise_clip_v2, dnnl_eltwise_clip_v2_use_dst_for_bwd, 6);
      case SIGMOID -> of(dnnl_eltwise_logistic, dnnl_eltwise_logistic_use_dst_for_bwd);
      case TANH -> of(dnnl_eltwise_tanh, dnnl_eltwise_tanh_use_dst_for_bwd);
      case GELU -> of(dnnl_eltwise_gelu_erf, dnnl_eltwise_gelu_erf);
      case GELU_TANH -> of(dnnl_eltwise_gelu_tanh, dnnl_eltwise_gelu_tanh);
      case IDENTITY ->
          throw new IllegalArgumentException("expected a function, found " + activation);
    };
  }

  private static EltwiseFunction of(int forward, int training) {
    return new EltwiseFunction(forward, training, 0);
  }
}
