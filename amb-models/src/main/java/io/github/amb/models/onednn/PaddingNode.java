package io.github.amb.models.onednn;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.javacpp.Pointer;

/** Adds zeros around planes. */
record PaddingNode(Node.Padding node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    Tensor result = plan.tensor(Formats.rowMajor(node.shape().dimensions(plan.examples)));
    long bytes = Tensor.bytes(result.format());
    plan.add(() -> Pointer.memset(result.data(), 0, bytes), result);
    plan.copy(x.tensor(), plan.view(result, inner(plan, result)));
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          Tensor rows = plan.as(delta, result.format());
          Tensor gradient = plan.tensor(x.tensor().format());
          plan.copy(plan.view(rows, inner(plan, rows)), gradient);
          x.addGradient(gradient);
        });
  }

  private dnnl_memory_desc inner(PlanBuilder plan, Tensor whole) {
    long[] start = {0, 0, node.top(), node.left()};
    return Formats.part(whole.format(), node.input().dimensions(plan.examples), start)
        .orElseThrow();
  }
}
