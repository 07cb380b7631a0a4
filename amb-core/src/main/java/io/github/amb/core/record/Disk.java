package io.github.amb.core.record;

import java.io.IOException;

/** Whether the disk takes more, asked before each write, so that a full one can be rehearsed. */
@FunctionalInterface
public interface Disk {
  /** Leaves it to the write itself. */
  Disk REAL = () -> {};

  /**
   * Fails as a write would.
   *
   * @throws IOException if the disk is to be taken for full
   */
  void check() throws IOException;
}
