package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * A batch normalization of oneDNN in a plan. The entries of each channel (the second dimension)
 * minus a mean are divided by the root of a variance. Optionally the result is scaled and shifted,
 * and negative results are set to 0.
 */
final class Normalization {
  private final PlanBuilder plan;
  private final Options options;
  private final Tensor x;
  private final Tensor mean;
  private final Tensor variance;
  private final Operation forward;
  private final Tensor workspace;

  /**
   * Options besides the normalization itself.
   *
   * @param epsilon added to variances
   * @param given whether mean and variance are given, or computed otherwise
   * @param scale index of the scale, followed by the shift, in the parameter vector; −1 for none
   * @param relu whether ReLU follows
   */
  record Options(float epsilon, boolean given, int scale, boolean relu) {
    private int flags() {
      return (given ? dnnl_use_global_stats : 0)
          | (scale >= 0 ? dnnl_use_scale | dnnl_use_shift : 0)
          | (relu ? dnnl_fuse_norm_relu : 0);
    }
  }

  /**
   * Adds the forward pass to a plan.
   *
   * @param result in the format of x
   */
  Normalization(
      PlanBuilder plan, Options options, Tensor x, Tensor mean, Tensor variance, Tensor result) {
    this.plan = plan;
    this.options = options;
    this.x = x;
    this.mean = mean;
    this.variance = variance;
    // oneDNN returns computed statistics in training only.
    boolean training = plan.training || !options.given();
    int propagation = training ? dnnl_forward_training : dnnl_forward_inference;
    forward = forward(propagation, options.flags(), result);
    plan.add(forward);
    workspace =
        training && options.relu() ? plan.tensor(forward.format(dnnl_query_workspace_md)) : null;
    forward.with(DNNL_ARG_WORKSPACE, workspace);
  }

  private Operation forward(int propagation, int flags, Tensor result) {
    Operation operation =
        plan.prepare(
            "a normalization",
            (description, attributes) ->
                dnnl_batch_normalization_forward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    propagation,
                    x.format(),
                    x.format(),
                    options.epsilon(),
                    flags,
                    attributes));
    bind(operation).with(DNNL_ARG_DST, result);
    if (options.scale() >= 0) {
      operation.with(DNNL_ARG_SHIFT, plan.parameter(shift(), perChannel()));
    }
    return operation;
  }

  /** Computes the result once more, by the statistics that the forward pass found. */
  Operation repetition(Tensor result) {
    return forward(dnnl_forward_inference, options.flags() | dnnl_use_global_stats, result);
  }

  private Operation bind(Operation operation) {
    operation.with(DNNL_ARG_SRC, x).with(DNNL_ARG_MEAN, mean).with(DNNL_ARG_VARIANCE, variance);
    if (options.scale() >= 0) {
      operation.with(DNNL_ARG_SCALE, plan.parameter(options.scale(), perChannel()));
    }
    return operation;
  }

  private dnnl_memory_desc perChannel() {
    return mean.format();
  }

  /** Place of the shift in the parameter vector. */
  private int shift() {
    return options.scale() + (int) (Tensor.bytes(perChannel()) / Float.BYTES);
  }

  /**
   * Adds the backward pass.
   *
   * @param delta gradient with respect to the result, in the format of x
   * @param gradient receives the gradient with respect to x, in its format
   */
  void addBackward(Tensor delta, Tensor gradient) {
    boolean scaled = options.scale() >= 0;
    dnnl_memory_desc format = x.format();
    Operation backward =
        plan.operation(
            "a normalization",
            (description, attributes) ->
                dnnl_batch_normalization_backward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    scaled ? dnnl_backward : dnnl_backward_data,
                    format,
                    format,
                    format,
                    options.epsilon(),
                    options.flags(),
                    forward.description(),
                    attributes));
    bind(backward).with(DNNL_ARG_DIFF_DST, delta).with(DNNL_ARG_DIFF_SRC, gradient);
    plan.mayOverwrite(delta, gradient);
    backward.with(DNNL_ARG_WORKSPACE, workspace);
    if (scaled) {
      plan.addGradient(backward, DNNL_ARG_DIFF_SCALE, options.scale(), perChannel());
      plan.addGradient(backward, DNNL_ARG_DIFF_SHIFT, shift(), perChannel());
    }
  }
}
