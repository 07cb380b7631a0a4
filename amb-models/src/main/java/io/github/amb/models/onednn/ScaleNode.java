package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** Multiplies each value by a factor; with factor 0 it has no gradient. */
record ScaleNode(Shape shape, float factor) implements Node {

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    Tensor result = product(plan, x.tensor());
    if (!x.isDifferentiable() || factor == 0) {
      return new Value(result, shape, null);
    }
    return new Value(result, shape, delta -> x.addGradient(product(plan, delta)));
  }

  /**
   * Multiplies by the factor, in the forward as well as in the backward pass, as the function is
   * linear.
   */
  private Tensor product(PlanBuilder plan, Tensor x) {
    Tensor result = plan.tensor(x.format());
    plan.operation(
            "a product",
            (description, attributes) ->
                dnnl_eltwise_forward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    dnnl_forward_inference,
                    dnnl_eltwise_linear,
                    x.format(),
                    x.format(),
                    factor,
                    0f,
                    attributes))
        .with(DNNL_ARG_SRC, x)
        .with(DNNL_ARG_DST, result);
    return result;
  }
}
