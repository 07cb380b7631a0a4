package io.github.amb.models.onednn;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** The sum of two values. */
record SumNode(Node.Sum node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Tensor result = plan.sum(inputs.get(0).tensor(), inputs.get(1).tensor(), node.activation());
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          Tensor inner = Elementwise.addBackward(plan, node.activation(), result, delta);
          inputs.forEach(summand -> summand.addGradient(inner));
        });
  }
}
