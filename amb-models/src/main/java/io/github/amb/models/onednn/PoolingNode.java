package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/**
 * Maximum or mean over a window.
 *
 * @param inner shape of the result as planes
 * @param shape shape of the result: the same, or a vector
 * @param algorithm oneDNN's constant for the function
 */
record PoolingNode(Shape input, Shape inner, Shape shape, KernelWindow window, int algorithm)
    implements Node {

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    int n = plan.examples;
    Operation forward = forward(plan, x);
    Tensor result = plan.tensor(forward.format(dnnl_query_dst_md));
    var noted = forward.format(dnnl_query_workspace_md);
    Tensor workspace = Tensor.bytes(noted) > 0 ? plan.tensor(noted) : null;
    forward.with(DNNL_ARG_SRC, x.tensor()).with(DNNL_ARG_DST, result);
    plan.add(forward.with(DNNL_ARG_WORKSPACE, workspace));
    Tensor shaped = shaped(plan, result, n);
    return Value.of(
        shaped,
        shape,
        inputs,
        delta -> {
          Tensor d = plan.as(planes(plan, delta), result.format());
          x.addGradient(addBackward(plan, x, forward, d, workspace));
        });
  }

  private Tensor planes(PlanBuilder plan, Tensor delta) {
    return inner.equals(shape)
        ? delta
        : plan.view(delta, Formats.rowMajor(inner.dimensions(plan.examples)));
  }

  private Tensor shaped(PlanBuilder plan, Tensor result, int n) {
    if (inner.equals(shape)) {
      return result;
    }
    Tensor planes = plan.as(result, Formats.rowMajor(inner.dimensions(n)));
    return plan.view(planes, Formats.rowMajor(shape.dimensions(n)));
  }

  private Operation forward(PlanBuilder plan, Value x) {
    return plan.prepare(
        "pooling",
        (description, attributes) ->
            dnnl_pooling_forward_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                plan.propagation(),
                algorithm,
                x.tensor().format(),
                Formats.any(inner.dimensions(plan.examples)),
                window.stride(),
                window.kernel(),
                KernelWindow.NO_DILATION,
                window.before(),
                window.after(),
                attributes));
  }

  private Tensor addBackward(
      PlanBuilder plan, Value x, Operation forward, Tensor delta, Tensor workspace) {
    Operation backward =
        plan.operation(
            "pooling",
            (description, attributes) ->
                dnnl_pooling_backward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    algorithm,
                    x.tensor().format(),
                    delta.format(),
                    window.stride(),
                    window.kernel(),
                    KernelWindow.NO_DILATION,
                    window.before(),
                    window.after(),
                    forward.description(),
                    attributes));
    Tensor gradient = plan.tensor(x.tensor().format());
    backward.with(DNNL_ARG_DIFF_DST, delta).with(DNNL_ARG_DIFF_SRC, gradient);
    backward.with(DNNL_ARG_WORKSPACE, workspace);
    return gradient;
  }
}
