package io.github.amb.core.scheme.context;

/** What becomes of a result of this rank's own that is infinite or not a number. */
@FunctionalInterface
public interface NonFinite {
  /** It ends the run. */
  NonFinite HALT = (rank, step, first, examples, found) -> false;

  /**
   * Whether the result is left out, which is told then, so that training goes on.
   *
   * @param first place of its first example in the rank's order, from 0; below 0 if they are not
   *     one after the other
   * @param found what is not finite in it, and where
   */
  boolean leavesOut(int rank, long step, long first, long examples, String found);
}
