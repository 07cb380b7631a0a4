package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SCALE_SHIFT;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_MEAN;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SCALE_SHIFT;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_VARIANCE;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WORKSPACE;
import static org.bytedeco.dnnl.global.dnnl.dnnl_backward;
import static org.bytedeco.dnnl.global.dnnl.dnnl_backward_data;
import static org.bytedeco.dnnl.global.dnnl.dnnl_batch_normalization_backward_desc_init;
import static org.bytedeco.dnnl.global.dnnl.dnnl_batch_normalization_forward_desc_init;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;
import static org.bytedeco.dnnl.global.dnnl.dnnl_fuse_norm_relu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_workspace_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_use_global_stats;
import static org.bytedeco.dnnl.global.dnnl.dnnl_use_scaleshift;

import org.bytedeco.dnnl.dnnl_batch_normalization_desc_t;
import org.bytedeco.dnnl.dnnl_memory_desc_t;

/**
 * One of oneDNN's batch normalizations in a plan: the entries of each channel (the second
 * dimension) minus a mean, divided by the root of a variance, then optionally scaled, shifted and
 * cut off at 0.
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
   * What it does beside normalizing.
   *
   * @param epsilon added to variances
   * @param given whether mean and variance are given, or else computed
   * @param scale place of scale and shift in the parameter vector, one after the other; −1 for none
   * @param relu whether ReLU follows
   */
  record Options(float epsilon, boolean given, int scale, boolean relu) {
    private int flags() {
      return (given ? dnnl_use_global_stats : 0)
          | (scale >= 0 ? dnnl_use_scaleshift : 0)
          | (relu ? dnnl_fuse_norm_relu : 0);
    }
  }

  /**
   * Adds the forward pass to a plan.
   *
   * @param result of the format of x
   */
  Normalization(
      PlanBuilder plan, Options options, Tensor x, Tensor mean, Tensor variance, Tensor result) {
    this.plan = plan;
    this.options = options;
    this.x = x;
    this.mean = mean;
    this.variance = variance;
    // Where statistics are computed, only training hands them out.
    boolean training = plan.isTraining() || !options.given();
    var descriptor = new dnnl_batch_normalization_desc_t();
    int status =
        dnnl_batch_normalization_forward_desc_init(
            descriptor,
            training ? dnnl_forward_training : dnnl_forward_inference,
            x.format(),
            options.epsilon(),
            options.flags());
    OneDnn.check(status, "describe a normalization");
    forward =
        bind(plan.operation(descriptor, Activation.IDENTITY, null)).with(DNNL_ARG_DST, result);
    workspace =
        training && options.relu() ? plan.tensor(forward.format(dnnl_query_workspace_md)) : null;
    if (workspace != null) {
      forward.with(DNNL_ARG_WORKSPACE, workspace);
    }
  }

  private Operation bind(Operation operation) {
    operation.with(DNNL_ARG_SRC, x).with(DNNL_ARG_MEAN, mean).with(DNNL_ARG_VARIANCE, variance);
    if (options.scale() >= 0) {
      operation.with(DNNL_ARG_SCALE_SHIFT, plan.parameter(options.scale(), scaleAndShift()));
    }
    return operation;
  }

  private dnnl_memory_desc_t scaleAndShift() {
    return Formats.rowMajor(2, x.format().dims().get(1));
  }

  /**
   * Adds the backward pass.
   *
   * @param delta gradient by the result, of the format of x
   * @param gradient receives that by x, of its format
   */
  void addBackward(Tensor delta, Tensor gradient) {
    boolean scaled = options.scale() >= 0;
    dnnl_memory_desc_t format = x.format();
    var descriptor = new dnnl_batch_normalization_desc_t();
    int status =
        dnnl_batch_normalization_backward_desc_init(
            descriptor,
            scaled ? dnnl_backward : dnnl_backward_data,
            format,
            format,
            options.epsilon(),
            options.flags());
    OneDnn.check(status, "describe a normalization");
    Operation backward =
        bind(plan.operation(descriptor, Activation.IDENTITY, forward))
            .with(DNNL_ARG_DIFF_DST, delta)
            .with(DNNL_ARG_DIFF_SRC, gradient);
    if (workspace != null) {
      backward.with(DNNL_ARG_WORKSPACE, workspace);
    }
    if (scaled) {
      plan.addGradient(
          backward, DNNL_ARG_DIFF_SCALE_SHIFT, options.scale(), scaleAndShift(), scaleAndShift());
    }
  }
}
