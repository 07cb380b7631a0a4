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
   * Updates entries {@code from} to {@code to − 1}; several threads may update disjoint ranges.
   *
   * @param parameters the flat vector; modified
   * @param gradient mean gradient, weight decay included; indices as of {@code parameters}, as
   *     loops over arrays are compiled to vector instructions only if all have the same index; not
   *     modified
   * @param learningRate this step's learning rate
   */
  void apply(float[] parameters, float[] gradient, int from, int to, double learningRate);

  /** Steps begun so far; with {@link #state}, all that a checkpoint needs. */
  long steps();

  /**
   * Sets the number of steps begun, as when a checkpoint is restored.
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

  @Override
  default void visit(StateVisitor visitor) {
    steps(visitor.integer("steps", steps()));
    List<float[]> arrays = state();
    for (int i = 0; i < arrays.size(); i++) {
      visitor.floats("state-" + i, arrays.get(i));
    }
  }
}
