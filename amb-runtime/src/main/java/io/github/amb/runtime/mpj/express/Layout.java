package io.github.amb.runtime.mpj.express;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpjbuf.NIOBuffer;

/**
 * Direct memory shared with MPJ Express: {@code overhead} bytes that the device fills, an empty
 * section header, then the message.
 */
final class Layout {
  private static final int CACHE_LINE = 64;

  /** The memory as MPJ Express takes it. */
  final NIOBuffer raw;

  /** Number of bytes in {@link #raw}. */
  final int capacity;

  /** The message part, in native byte order. */
  final ByteBuffer message;

  Layout(int overhead, int length, int aligned) {
    int start = overhead + mpjbuf.Buffer.SECTION_OVERHEAD;
    capacity = start + length;
    ByteBuffer all = ByteBuffer.allocateDirect(capacity + CACHE_LINE);
    int misplaced = all.alignmentOffset(start + aligned, CACHE_LINE);
    int shift = misplaced == 0 ? 0 : CACHE_LINE - misplaced;
    ByteBuffer memory = all.slice(shift, capacity);
    raw = new NIOBuffer(capacity, memory);
    message = memory.slice(start, length).order(ByteOrder.nativeOrder());
  }
}
