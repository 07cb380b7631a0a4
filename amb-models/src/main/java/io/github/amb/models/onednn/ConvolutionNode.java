package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.onednn.primitive.Activation;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * A convolution.
 *
 * @param weights index in the parameter vector of [out, in, kernel height, kernel width], or, if it
 *     is depthwise, of [kernel height, kernel width, in, out / in]
 * @param bias index in the parameter vector of the bias; −1 for none
 * @param depthwise whether each channel is convolved by itself
 */
record ConvolutionNode(
    Shape input,
    Shape shape,
    KernelWindow window,
    int weights,
    int bias,
    boolean depthwise,
    Activation activation)
    implements Node {

  @Override
  public Node followedBy(Activation next) {
    return activation == Activation.IDENTITY
        ? new ConvolutionNode(input, shape, window, weights, bias, depthwise, next)
        : null;
  }

  /** Those by padding, which some implementations leave out, are counted. */
  @Override
  public long multiplications() {
    long perValue = window.kernel()[0] * window.kernel()[1] * (depthwise ? 1 : input.channels());
    return perValue * shape.size();
  }

  private long multiplier() {
    return shape.channels() / input.channels();
  }

  private long[] kernels() {
    long height = window.kernel()[0];
    long width = window.kernel()[1];
    return depthwise
        ? new long[] {input.channels(), multiplier(), 1, height, width}
        : new long[] {shape.channels(), input.channels(), height, width};
  }

  /** The format of the weights in the parameter vector. */
  private dnnl_memory_desc flatKernels() {
    if (!depthwise) {
      return Formats.rowMajor(kernels());
    }
    long place = shape.channels();
    long[] strides = {multiplier(), 1, 1, place * window.kernel()[1], place};
    return Formats.strided(kernels(), strides);
  }

  private dnnl_memory_desc biasFormat() {
    return bias < 0 ? null : Formats.rowMajor(shape.channels());
  }

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    Operation forward = forward(plan);
    Tensor source = plan.as(x.tensor(), forward.format(dnnl_query_src_md));
    Tensor result = plan.tensor(forward.format(dnnl_query_dst_md));
    forward
        .with(DNNL_ARG_SRC, source)
        .with(DNNL_ARG_WEIGHTS, weights(plan, forward))
        .with(DNNL_ARG_DST, result);
    if (bias >= 0) {
      forward.with(DNNL_ARG_BIAS, plan.parameter(bias, biasFormat()));
    }
    plan.add(forward);
    return new Value(
        result, shape, delta -> addBackward(plan, new Backward(x, source, result, forward), delta));
  }

  private Operation forward(PlanBuilder plan) {
    int n = plan.examples;
    return plan.prepare(
        "a convolution",
        activation,
        (description, attributes) ->
            dnnl_convolution_forward_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                plan.propagation(),
                dnnl_convolution_direct,
                Formats.any(plan.precision, input.dimensions(n)),
                Formats.any(plan.precision, kernels()),
                biasFormat(),
                Formats.any(shape.dimensions(n)),
                window.stride(),
                KernelWindow.NO_DILATION,
                window.before(),
                window.after(),
                attributes));
  }

  private Tensor weights(PlanBuilder plan, Operation operation) {
    return plan.parameter(weights, flatKernels(), operation.format(dnnl_query_weights_md));
  }

  /** The parts of the forward pass that the backward pass needs. */
  private record Backward(Value x, Tensor source, Tensor result, Operation forward) {}

  private void addBackward(PlanBuilder plan, Backward known, Tensor delta) {
    Tensor inner = Elementwise.addBackward(plan, activation, known.result(), delta);
    addWeightGradient(plan, known, inner);
    if (known.x().isDifferentiable()) {
      addInputGradient(plan, known, inner);
    }
  }

  private void addWeightGradient(PlanBuilder plan, Backward known, Tensor delta) {
    int n = plan.examples;
    Operation backward =
        plan.prepare(
            "a convolution",
            (description, attributes) ->
                dnnl_convolution_backward_weights_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    dnnl_convolution_direct,
                    Formats.any(plan.precision, input.dimensions(n)),
                    Formats.any(kernels()),
                    biasFormat(),
                    Formats.any(plan.precision, shape.dimensions(n)),
                    window.stride(),
                    KernelWindow.NO_DILATION,
                    window.before(),
                    window.after(),
                    known.forward().description(),
                    attributes));
    Tensor source = plan.as(known.source(), backward.format(dnnl_query_src_md));
    Tensor d = plan.as(delta, backward.format(dnnl_query_diff_dst_md));
    plan.add(backward.with(DNNL_ARG_SRC, source).with(DNNL_ARG_DIFF_DST, d));
    var made = backward.format(dnnl_query_diff_weights_md);
    plan.addGradient(backward, DNNL_ARG_DIFF_WEIGHTS, weights, flatKernels(), made);
    if (bias >= 0) {
      plan.addGradient(backward, DNNL_ARG_DIFF_BIAS, bias, biasFormat());
    }
  }

  private void addInputGradient(PlanBuilder plan, Backward known, Tensor delta) {
    int n = plan.examples;
    Operation backward =
        plan.prepare(
            "a convolution",
            (description, attributes) ->
                dnnl_convolution_backward_data_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    dnnl_convolution_direct,
                    Formats.any(input.dimensions(n)),
                    Formats.any(plan.precision, kernels()),
                    Formats.any(plan.precision, shape.dimensions(n)),
                    window.stride(),
                    KernelWindow.NO_DILATION,
                    window.before(),
                    window.after(),
                    known.forward().description(),
                    attributes));
    Tensor d = plan.as(delta, backward.format(dnnl_query_diff_dst_md));
    Tensor gradient = plan.tensor(backward.format(dnnl_query_diff_src_md));
    Tensor kernels = weights(plan, backward);
    plan.add(
        backward
            .with(DNNL_ARG_DIFF_DST, d)
            .with(DNNL_ARG_WEIGHTS, kernels)
            .with(DNNL_ARG_DIFF_SRC, gradient));
    known.x().addGradient(gradient);
  }
}
