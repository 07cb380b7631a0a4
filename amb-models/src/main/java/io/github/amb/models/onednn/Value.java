package io.github.amb.models.onednn;

import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A result in a {@link Plan}, and the gradient with respect to it.
 *
 * @param derivative adds the operations of the backward pass for the given gradient with respect to
 *     this result; null if no parameter precedes it
 * @param gradients those from its users
 */
record Value(Tensor tensor, Shape shape, Consumer<Tensor> derivative, List<Tensor> gradients) {
  Value(Tensor tensor, Shape shape, Consumer<Tensor> derivative) {
    this(tensor, shape, derivative, new ArrayList<>());
  }

  /** A result of arguments, which has a backward pass if one of them has a gradient. */
  static Value of(Tensor tensor, Shape shape, List<Value> arguments, Consumer<Tensor> derivative) {
    boolean differs = arguments.stream().anyMatch(Value::isDifferentiable);
    return new Value(tensor, shape, differs ? derivative : null);
  }

  /** Whether a gradient with respect to it is needed. */
  boolean isDifferentiable() {
    return derivative != null;
  }

  /** Adds the gradient from one of its users, which has no effect if none is needed. */
  void addGradient(Tensor gradient) {
    gradients.add(gradient);
  }

  /** Adds the operations of its backward pass to a plan, after all its users have added theirs. */
  void backward(PlanBuilder plan) {
    if (derivative == null || gradients.isEmpty()) {
      return;
    }
    Tensor sum = gradients.get(0);
    for (Tensor other : gradients.subList(1, gradients.size())) {
      sum = plan.sum(sum, other, Activation.IDENTITY);
    }
    derivative.accept(sum);
  }
}
