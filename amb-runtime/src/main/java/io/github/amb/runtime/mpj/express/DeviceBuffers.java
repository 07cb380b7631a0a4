package io.github.amb.runtime.mpj.express;

import mpjbuf.BufferFactory;
import mpjbuf.RawBuffer;

/**
 * What niodev gets in place of {@link BufferFactory}, as it allocates whatever length the head of a
 * message says: memory for messages that can be, none for others.
 */
public final class DeviceBuffers {
  private static volatile int limit = Integer.MAX_VALUE;

  private DeviceBuffers() {}

  /** Gives no more than {@code bytes} at once from now on. */
  static void limit(int bytes) {
    limit = bytes;
  }

  /**
   * Memory for a message.
   *
   * @throws IllegalStateException if none of ours is as long; niodev receives no more then
   */
  public static RawBuffer create(int bytes) {
    if (bytes < 0 || bytes > limit) {
      throw DeviceSystem.broken(
          "a message of at most %d bytes, found one of %d".formatted(limit, bytes));
    }
    return BufferFactory.create(bytes);
  }

  /** Takes it back. */
  public static void destroy(RawBuffer buffer) {
    BufferFactory.destroy(buffer);
  }
}
