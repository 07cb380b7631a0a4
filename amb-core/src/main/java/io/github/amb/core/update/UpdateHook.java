package io.github.amb.core.update;

/** Takes part in every update of a {@link MasterUpdate}. */
public interface UpdateHook {
  /**
   * An update begins.
   *
   * @param ranks the first {@code count} are the workers that the gradients came from; not modified
   */
  default void begin(int[] ranks, int count) {}

  /**
   * Changes part of the mean gradient, all of one trainable block, before weight decay. Called for
   * several parts at a time, by several threads.
   *
   * @param mean the first {@code length} entries count; modified
   */
  default void change(float[] mean, int length) {}
}
