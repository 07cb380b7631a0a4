package io.github.amb.runtime.mpj.express;

import java.nio.ByteBuffer;
import mpjbuf.NIOBuffer;

/**
 * An MPJ buffer whose memory can be another one for each message. MPJ Express finds an empty
 * section header in a separate memory.
 */
final class MovableMemory extends NIOBuffer {
  private ByteBuffer current;

  /**
   * Without memory at first.
   *
   * @param room bytes that MPJ Express puts before a message
   */
  MovableMemory(int room) {
    super(room, ByteBuffer.allocate(room));
  }

  /** Sets the memory of the next message. */
  void moveTo(ByteBuffer memory) {
    current = memory.clear();
  }

  @Override
  public ByteBuffer getBuffer() {
    return current;
  }
}
