package io.github.amb.core.scheme.context;

/** Decides about an own result of this rank that has infinite values or NaN. */
@FunctionalInterface
public interface NonFinite {
  /** It ends the run. */
  NonFinite HALT = (rank, step, first, examples, found) -> false;

  /**
   * Whether the result is dropped and training continues. An implementation that drops it reports
   * it.
   *
   * @param rank the rank that computed the result
   * @param step the step that the result belongs to
   * @param first place of its first example in the rank's order, from 0; below 0 if its examples
   *     are not consecutive
   * @param examples number of examples in the result
   * @param found which values are not finite, and where
   */
  boolean leavesOut(int rank, long step, long first, long examples, String found);
}
