package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.DropoutRandom;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/**
 * In training, keeps each value with probability {@code keep} and divides it by that, and sets it
 * to 0 otherwise.
 */
record DropoutNode(Node.Dropout node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    if (!plan.training) {
      return x;
    }
    Tensor mask = plan.tensor(x.tensor().format());
    int length = (int) (Tensor.bytes(mask.format()) / Float.BYTES);
    float[] values = new float[length];
    DropoutRandom random = plan.memory.random();
    plan.add(
        () -> {
          random.mask(values, length, node.keep());
          mask.data().put(values, 0, length);
        },
        mask);
    Tensor result = plan.product(x.tensor(), mask);
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          Tensor d = plan.as(delta, mask.format());
          x.addGradient(plan.product(d, mask));
        });
  }
}
