package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** Maximum or mean over a window. */
record PoolingNode(Node.Pooling node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
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
        node.shape(),
        inputs,
        delta -> {
          Tensor d = plan.as(planes(plan, delta), result.format());
          x.addGradient(addBackward(plan, x, forward, d, workspace));
        });
  }

  private Tensor planes(PlanBuilder plan, Tensor delta) {
    return node.inner().equals(node.shape())
        ? delta
        : plan.view(delta, Formats.rowMajor(node.inner().dimensions(plan.examples)));
  }

  private Tensor shaped(PlanBuilder plan, Tensor result, int n) {
    if (node.inner().equals(node.shape())) {
      return result;
    }
    Tensor planes = plan.as(result, Formats.rowMajor(node.inner().dimensions(n)));
    return plan.view(planes, Formats.rowMajor(node.shape().dimensions(n)));
  }

  private Operation forward(PlanBuilder plan, Value<Tensor> x) {
    return plan.prepare(
        "pooling",
        (description, attributes) ->
            dnnl_pooling_forward_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                plan.propagation(),
                algorithm(),
                x.tensor().format(),
                Formats.any(node.inner().dimensions(plan.examples)),
                node.window().stride(),
                node.window().kernel(),
                OneDnn.NO_DILATION,
                node.window().before(),
                node.window().after(),
                attributes));
  }

  private Tensor addBackward(
      PlanBuilder plan, Value<Tensor> x, Operation forward, Tensor delta, Tensor workspace) {
    Operation backward =
        plan.operation(
            "pooling",
            (description, attributes) ->
                dnnl_pooling_backward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    algorithm(),
                    x.tensor().format(),
                    delta.format(),
                    node.window().stride(),
                    node.window().kernel(),
                    OneDnn.NO_DILATION,
                    node.window().before(),
                    node.window().after(),
                    forward.description(),
                    attributes));
    Tensor gradient = plan.tensor(x.tensor().format());
    backward.with(DNNL_ARG_DIFF_DST, delta).with(DNNL_ARG_DIFF_SRC, gradient);
    backward.with(DNNL_ARG_WORKSPACE, workspace);
    return gradient;
  }

  private int algorithm() {
    return switch (node.kind()) {
      case MAX -> dnnl_pooling_max;
      case MEAN_WITH_PADDING -> dnnl_pooling_avg_include_padding;
      case MEAN -> dnnl_pooling_avg_exclude_padding;
    };
  }
}
