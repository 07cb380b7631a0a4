package io.github.amb.core.update;

/** Changes the mean gradients of a {@link MasterUpdate}. */
public interface UpdateHook {
  /**
   * Called at the start of every update.
   *
   * @param step number of the update, from 1
   * @param ranks the first {@code count} are the workers that sent the gradients; not modified
   * @param count number of gradients
   */
  default void begin(long step, int[] ranks, int count) {}

  /**
   * Changes a part of the mean gradient, within one trainable block, before weight decay. Several
   * threads call this at the same time, for different parts.
   *
   * @param mean the first {@code length} entries are the part; modified
   * @param length number of entries
   */
  default void change(float[] mean, int length) {}
}
