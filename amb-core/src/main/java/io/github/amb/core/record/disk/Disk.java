package io.github.amb.core.record.disk;

import java.io.IOException;

/**
 * A check before each write to the disk, which lets tests and fault injection simulate a full disk.
 */
@FunctionalInterface
public interface Disk {
  /** Never fails: the write itself detects a full disk. */
  Disk REAL = () -> {};

  /**
   * Fails as a write to a full disk would.
   *
   * @throws IOException if the disk is treated as full
   */
  void check() throws IOException;
}
