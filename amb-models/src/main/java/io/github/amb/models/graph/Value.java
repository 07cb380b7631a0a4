package io.github.amb.models.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;

/**
 * A result in an engine's plan of a network, and the gradient with respect to it.
 *
 * @param <T> the engine's arrays
 * @param derivative adds the operations of the backward pass for the given gradient with respect to
 *     this result; null if no parameter precedes it
 * @param gradients those from its users
 */
public record Value<T>(T tensor, Shape shape, Consumer<T> derivative, List<T> gradients) {
  public Value(T tensor, Shape shape, Consumer<T> derivative) {
    this(tensor, shape, derivative, new ArrayList<>());
  }

  /** A result of arguments, which has a backward pass if one of them has a gradient. */
  public static <T> Value<T> of(
      T tensor, Shape shape, List<Value<T>> arguments, Consumer<T> derivative) {
    boolean differs = arguments.stream().anyMatch(Value::isDifferentiable);
    return new Value<>(tensor, shape, differs ? derivative : null);
  }

  /** Whether a gradient with respect to it is needed. */
  public boolean isDifferentiable() {
    return derivative != null;
  }

  /** Adds the gradient from one of its users, which has no effect if none is needed. */
  public void addGradient(T gradient) {
    gradients.add(gradient);
  }

  /**
   * Adds the operations of its backward pass to a plan, after all its users have added theirs.
   *
   * @param sum adds the operation that sums two arrays
   */
  public void backward(BinaryOperator<T> sum) {
    if (derivative != null) {
      gradients.stream().reduce(sum).ifPresent(derivative);
    }
  }
}
