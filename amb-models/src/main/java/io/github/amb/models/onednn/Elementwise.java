package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.EltwiseFunction;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** A function applied to each value. */
record Elementwise(Node.Elementwise node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    Tensor result = plan.tensor(x.tensor().format());
    Operation forward = forward(plan, node.activation(), result.format());
    plan.add(forward.with(DNNL_ARG_SRC, x.tensor()).with(DNNL_ARG_DST, result));
    plan.mayOverwrite(x.tensor(), result);
    Tensor kept = node.activation().hasDerivativeOfResult() ? result : x.tensor();
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> x.addGradient(addBackward(plan, node.activation(), kept, delta)));
  }

  private static Operation forward(
      PlanBuilder plan, Activation activation, dnnl_memory_desc format) {
    var function = EltwiseFunction.of(activation);
    return plan.elementwise(
        dnnl_forward_training, function.training(), format, 0f, function.most());
  }

  /**
   * Adds the backward pass of an activation.
   *
   * @param kept result of the forward pass, or its argument, whichever the derivative is of
   * @param delta gradient by the result
   * @return gradient by the argument, in the same format
   */
  static Tensor addBackward(PlanBuilder plan, Activation activation, Tensor kept, Tensor delta) {
    if (activation == Activation.IDENTITY) {
      return delta;
    }
    dnnl_memory_desc format = kept.format();
    Tensor d = plan.as(delta, format);
    Tensor gradient = plan.tensor(format);
    Operation forward = forward(plan, activation, format);
    var function = EltwiseFunction.of(activation);
    plan.operation(
            "an activation",
            (description, attributes) ->
                dnnl_eltwise_backward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    function.training(),
                    format,
                    format,
                    format,
                    0f,
                    function.most(),
                    forward.description(),
                    attributes))
        .with(activation.hasDerivativeOfResult() ? DNNL_ARG_DST : DNNL_ARG_SRC, kept)
        .with(DNNL_ARG_DIFF_DST, d)
        .with(DNNL_ARG_DIFF_SRC, gradient);
    plan.mayOverwrite(d, gradient);
    return gradient;
  }
}
