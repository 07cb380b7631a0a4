package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** Multiplies each value by a factor; with factor 0 it has no gradient. */
record ScaleNode(Node.Scale node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    Tensor result = product(plan, x.tensor());
    return node.factor() == 0
        ? new Value<>(result, node.shape(), null)
        : Value.of(result, node.shape(), inputs, delta -> x.addGradient(product(plan, delta)));
  }

  /**
   * Multiplies by the factor, in the forward as well as in the backward pass, as the function is
   * linear.
   */
  private Tensor product(PlanBuilder plan, Tensor x) {
    Tensor result = plan.tensor(x.format());
    Operation scale =
        plan.elementwise(
            dnnl_forward_inference, dnnl_eltwise_linear, x.format(), node.factor(), 0f);
    plan.add(scale.with(DNNL_ARG_SRC, x).with(DNNL_ARG_DST, result));
    return result;
  }
}
