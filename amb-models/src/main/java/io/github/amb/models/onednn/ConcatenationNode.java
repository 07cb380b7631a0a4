package io.github.amb.models.onednn;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** Concatenates the channels of several values. */
record ConcatenationNode(Node.Concatenation node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Tensor result = plan.concatenation(inputs.stream().map(Value::tensor).toList());
    return Value.of(result, node.shape(), inputs, delta -> addBackward(plan, inputs, delta));
  }

  /** Splits the gradient, in a row-major copy if blocks of channels would have to be split. */
  private void addBackward(PlanBuilder plan, List<Value<Tensor>> inputs, Tensor delta) {
    int n = plan.examples;
    Tensor rows = null;
    int first = 0;
    for (Value<Tensor> input : inputs) {
      long[] dimensions = input.shape().dimensions(n);
      if (input.isDifferentiable()) {
        var part = Formats.part(delta.format(), dimensions, new long[] {0, first, 0, 0});
        if (part.isEmpty() && rows == null) {
          rows = plan.as(delta, Formats.rowMajor(node.shape().dimensions(n)));
        }
        Tensor whole = part.isPresent() ? delta : rows;
        var format =
            Formats.part(whole.format(), dimensions, new long[] {0, first, 0, 0}).orElseThrow();
        Tensor gradient = plan.tensor(input.tensor().format());
        plan.copy(plan.view(whole, format), gradient);
        input.addGradient(gradient);
      }
      first += input.shape().channels();
    }
  }
}
