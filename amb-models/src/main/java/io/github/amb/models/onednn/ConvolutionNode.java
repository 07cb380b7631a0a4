package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** A convolution. */
record ConvolutionNode(Node.Convolution node) implements PlanNode {

  private long multiplier() {
    return node.shape().channels() / node.input().channels();
  }

  private long[] kernels() {
    long height = node.window().kernel()[0];
    long width = node.window().kernel()[1];
    return node.depthwise()
        ? new long[] {node.input().channels(), multiplier(), 1, height, width}
        : new long[] {node.shape().channels(), node.input().channels(), height, width};
  }

  /** The format of the weights in the parameter vector. */
  private dnnl_memory_desc flatKernels() {
    if (!node.depthwise()) {
      return Formats.rowMajor(kernels());
    }
    long place = node.shape().channels();
    long[] strides = {multiplier(), 1, 1, place * node.window().kernel()[1], place};
    return Formats.strided(kernels(), strides);
  }

  private dnnl_memory_desc biasFormat() {
    return node.bias() < 0 ? null : Formats.rowMajor(node.shape().channels());
  }

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    Operation forward = forward(plan);
    Tensor source = plan.as(x.tensor(), forward.format(dnnl_query_src_md));
    Tensor result = plan.tensor(forward.format(dnnl_query_dst_md));
    forward
        .with(DNNL_ARG_SRC, source)
        .with(DNNL_ARG_WEIGHTS, weights(plan, forward))
        .with(DNNL_ARG_DST, result);
    if (node.bias() >= 0) {
      forward.with(DNNL_ARG_BIAS, plan.parameter(node.bias(), biasFormat()));
    }
    plan.add(forward);
    return new Value<>(
        result,
        node.shape(),
        delta -> addBackward(plan, new Backward(x, source, result, forward), delta));
  }

  private Operation forward(PlanBuilder plan) {
    int n = plan.examples;
    return plan.prepare(
        "a convolution",
        node.activation(),
        (description, attributes) ->
            dnnl_convolution_forward_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                plan.propagation(),
                dnnl_convolution_direct,
                Formats.any(plan.precision, node.input().dimensions(n)),
                Formats.any(plan.precision, kernels()),
                biasFormat(),
                Formats.any(node.shape().dimensions(n)),
                node.window().stride(),
                OneDnn.NO_DILATION,
                node.window().before(),
                node.window().after(),
                attributes));
  }

  private Tensor weights(PlanBuilder plan, Operation operation) {
    return plan.parameter(node.weights(), flatKernels(), operation.format(dnnl_query_weights_md));
  }

  /** The parts of the forward pass that the backward pass needs. */
  private record Backward(Value<Tensor> x, Tensor source, Tensor result, Operation forward) {}

  private void addBackward(PlanBuilder plan, Backward known, Tensor delta) {
    Tensor inner = Elementwise.addBackward(plan, node.activation(), known.result(), delta);
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
                    Formats.any(plan.precision, node.input().dimensions(n)),
                    Formats.any(kernels()),
                    biasFormat(),
                    Formats.any(plan.precision, node.shape().dimensions(n)),
                    node.window().stride(),
                    OneDnn.NO_DILATION,
                    node.window().before(),
                    node.window().after(),
                    known.forward().description(),
                    attributes));
    Tensor source = plan.as(known.source(), backward.format(dnnl_query_src_md));
    Tensor d = plan.as(delta, backward.format(dnnl_query_diff_dst_md));
    plan.add(backward.with(DNNL_ARG_SRC, source).with(DNNL_ARG_DIFF_DST, d));
    var made = backward.format(dnnl_query_diff_weights_md);
    plan.addGradient(backward, DNNL_ARG_DIFF_WEIGHTS, node.weights(), flatKernels(), made);
    if (node.bias() >= 0) {
      plan.addGradient(backward, DNNL_ARG_DIFF_BIAS, node.bias(), biasFormat());
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
                    Formats.any(node.input().dimensions(n)),
                    Formats.any(plan.precision, kernels()),
                    Formats.any(plan.precision, node.shape().dimensions(n)),
                    node.window().stride(),
                    OneDnn.NO_DILATION,
                    node.window().before(),
                    node.window().after(),
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
