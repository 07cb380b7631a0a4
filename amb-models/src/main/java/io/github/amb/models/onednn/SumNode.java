package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Activation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** The sum of two values. */
record SumNode(Shape shape, Activation activation) implements Node {

  @Override
  public Node followedBy(Activation next) {
    return activation == Activation.IDENTITY ? new SumNode(shape, next) : null;
  }

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Tensor result = plan.sum(inputs.get(0).tensor(), inputs.get(1).tensor(), activation);
    return Value.of(
        result,
        shape,
        inputs,
        delta -> {
          Tensor inner = Elementwise.addBackward(plan, activation, result, delta);
          inputs.forEach(summand -> summand.addGradient(inner));
        });
  }
}
