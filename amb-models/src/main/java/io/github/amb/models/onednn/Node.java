package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Activation;
import java.util.List;

/** A layer, or another function of a network's values, that can be added to a plan. */
interface Node {
  /** Shape of its result. */
  Shape shape();

  /**
   * Adds the operations of the forward pass.
   *
   * @return the result, which can add the operations of the backward pass
   */
  Value addTo(PlanBuilder plan, List<Value> inputs);

  /** Multiplications by weights in the forward pass of one example; 0 for a node without them. */
  default long multiplications() {
    return 0;
  }

  /** The same with a function applied to its result; null if it has one or cannot have one. */
  default Node followedBy(Activation activation) {
    return null;
  }
}
