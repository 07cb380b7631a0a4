package io.github.amb.runtime.mpj.express;

import java.nio.ByteBuffer;
import mpjbuf.NIOBuffer;

/**
 * Memory of an MPJ buffer that can be another one for each message. What MPJ Express asks of a
 * section header it finds in memory that stays empty.
 */
final class MovableMemory extends NIOBuffer {
  private ByteBuffer current;

  /**
   * In no place yet.
   *
   * @param room bytes before a message
   */
  MovableMemory(int room) {
    super(room, ByteBuffer.allocate(room));
  }

  /** The next message is in {@code memory}. */
  void moveTo(ByteBuffer memory) {
    current = memory.clear();
  }

  @Override
  public ByteBuffer getBuffer() {
    return current;
  }
}
