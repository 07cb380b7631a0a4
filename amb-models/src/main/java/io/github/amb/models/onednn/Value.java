package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Activation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A result in a {@link Plan}, and the gradient with respect to it. */
public final class Value {
  private final Tensor tensor;
  private final Shape shape;
  private final Consumer<Tensor> backward;
  private final List<Tensor> gradients = new ArrayList<>();

  /**
   * @param backward adds the operations of the backward pass for the given gradient with respect to
   *     this result; null if no parameter precedes it
   */
  public Value(Tensor tensor, Shape shape, Consumer<Tensor> backward) {
    this.tensor = tensor;
    this.shape = shape;
    this.backward = backward;
  }

  /** A result of one argument, which has a backward pass if the argument has a gradient. */
  public static Value of(Tensor tensor, Shape shape, Value argument, Consumer<Tensor> backward) {
    return new Value(tensor, shape, argument.isDifferentiable() ? backward : null);
  }

  public Tensor tensor() {
    return tensor;
  }

  public Shape shape() {
    return shape;
  }

  /** Whether a gradient with respect to it is needed. */
  public boolean isDifferentiable() {
    return backward != null;
  }

  /** Adds the gradient from one of its users. */
  public void addGradient(Tensor gradient) {
    gradients.add(gradient);
  }

  /** Adds the operations of its backward pass to a plan, after all its users have added theirs. */
  public void backward(PlanBuilder plan) {
    if (backward == null || gradients.isEmpty()) {
      return;
    }
    Tensor sum = gradients.get(0);
    for (Tensor other : gradients.subList(1, gradients.size())) {
      sum = plan.sum(sum, other, Activation.IDENTITY);
    }
    backward.accept(sum);
  }
}
