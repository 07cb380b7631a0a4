package io.github.amb.models.onednn;

import io.github.amb.models.onednn.primitive.Arena;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Memory that the plans of a network share, which run one at a time. It has the size of the
 * largest. What a plan leaves there is lost when another one runs.
 */
public final class PlanMemory implements AutoCloseable {
  private final Arena arena = new Arena();
  private FloatPointer start = new FloatPointer();
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

  /** Its first entry; another object after each move. */
  FloatPointer start() {
    return start;
  }

  @Override
  public void close() {
    arena.close();
  }
}
