package io.github.amb.models.dl4j;

/** A layer that can add its gradient to its part of the gradient vector instead of replacing it. */
interface AccumulatingLayer {
  /**
   * Chooses what the next backward pass does.
   *
   * @param add true to add to the gradient vector, false to replace what is there
   */
  void accumulate(boolean add);
}
