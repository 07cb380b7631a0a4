package io.github.amb.models.onednn.reference;

import java.util.List;

/** A function of arrays; what its backward pass needs it keeps from its forward pass. */
interface Layer {
  Values forward(Pass pass, List<Values> inputs);

  /**
   * Adds to the gradient sum.
   *
   * @param delta gradient by the result
   * @return gradients by the inputs
   */
  List<Values> backward(Pass pass, Values delta);
}
