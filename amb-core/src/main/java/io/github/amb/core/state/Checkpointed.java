package io.github.amb.core.state;

/**
 * Something that remembers from step to step: residuals of a codec, the moments of an update rule,
 * a worker's place in the data. One method saves and restores, so that the two cannot differ:
 *
 * <pre>{@code
 * public void visit(StateVisitor state) {
 *   steps = state.integer("steps", steps);
 *   state.floats("residual", residual);
 * }
 * }</pre>
 *
 * <p>Who wants to be in checkpoints registers itself with its rank's {@link StateRegistry} when it
 * is made. Lengths of arrays must not depend on what has happened.
 */
@FunctionalInterface
public interface Checkpointed {
  /** Shows every piece of state, each under a name of its own. */
  void visit(StateVisitor state);

  /** It has been restored, and the world is another than that in which its state was saved. */
  default void enteredWorld() {}
}
