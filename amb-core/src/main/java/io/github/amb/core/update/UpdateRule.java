package io.github.amb.core.update;

import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.List;

/**
 * Turns a mean gradient into new parameters. A step is one {@link #beginStep}, then {@link #apply}
 * once for every trainable range, in any partition of the vector.
 */
public interface UpdateRule extends Checkpointed {
  /** Starts the next step, so that rules that count steps advance once. */
  void beginStep();

  /**
   * Updates entries {@code from} to {@code to − 1}. Several threads may update disjoint ranges.
   *
   * @param parameters the flat vector; modified
   * @param gradient mean gradient, weight decay included, with the same indices as {@code
   *     parameters}: loops are vectorized only if all arrays have the same index; not modified
   * @param learningRate learning rate of this step
   */
  void apply(float[] parameters, float[] gradient, int from, int to, double learningRate);

  /**
   * Number of steps begun so far. Together with {@link #state}, this is all that a checkpoint
   * needs.
   */
  long steps();

  /**
   * Sets the number of steps begun, when a checkpoint is restored.
   *
   * @param steps not negative
   */
  void steps(long steps);

  /**
   * The arrays that the rule keeps between steps, each with one entry per parameter. The order is
   * always the same, and the arrays are the rule's own: writing to them restores a checkpoint.
   *
   * @return an unmodifiable list of live arrays; empty for a rule without state
   */
  List<float[]> state();

  /** Whether weight decay shrinks the parameters directly instead of changing the gradient. */
  default boolean decouplesDecay() {
    return false;
  }

  /**
   * Whether the new parameters depend on the previous ones, so that other parts may change those in
   * between.
   */
  default boolean incremental() {
    return true;
  }

  @Override
  default void visit(StateVisitor visitor) {
    steps(visitor.integer("steps", steps()));
    List<float[]> arrays = state();
    for (int i = 0; i < arrays.size(); i++) {
      visitor.floats("state-" + i, arrays.get(i));
    }
  }
}
