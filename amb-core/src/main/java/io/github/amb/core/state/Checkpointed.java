package io.github.amb.core.state;

/**
 * An object with state that is kept from step to step: residuals of a codec, the moments of an
 * update rule, a worker's position in the data. One method both saves and restores, so that the two
 * cannot differ:
 *
 * <pre>{@code
 * public void visit(StateVisitor state) {
 *   steps = state.integer("steps", steps);
 *   state.floats("residual", residual);
 * }
 * }</pre>
 *
 * <p>To be part of checkpoints, an object registers with its rank's {@link StateRegistry} when it
 * is created. Lengths of arrays must be constant, but for those that {@link StateVisitor} visits as
 * of any length.
 */
@FunctionalInterface
public interface Checkpointed {
  /** Visits every piece of state under a unique name. */
  void visit(StateVisitor state);

  /** Called after a restore if the generation differs from that in which the state was saved. */
  default void enteredGeneration() {}
}
