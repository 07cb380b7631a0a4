package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Arena;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Memory that the plans of a network share, which run one at a time. It has the size of the
 * largest. What a plan leaves there is lost when another one runs.
 */
final class PlanMemory implements AutoCloseable {
  /** Its first entry; another object after each move. */
  FloatPointer start = new FloatPointer();

  private final Arena arena = new Arena();
  private long size;

  /** Grows to at least {@code bytes} bytes; if it grows, it moves and its contents are lost. */
  void reserve(long bytes) {
    if (bytes > size) {
      size = 0;
      arena.close();
      start = new FloatPointer(arena.allocate(bytes));
      size = bytes;
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
