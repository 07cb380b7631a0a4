package io.github.amb.runtime.mpj.express;

import mpjbuf.BufferFactory;
import mpjbuf.RawBuffer;

/**
 * Replaces {@link BufferFactory} in niodev, which allocates whatever length the header of a message
 * claims. This class allocates memory only for plausible messages.
 */
public final class DeviceBuffers {
  private static volatile int limit = Integer.MAX_VALUE;

  private DeviceBuffers() {}

  /** Limits a message to {@code bytes} bytes from now on. */
  static void limit(int bytes) {
    limit = bytes;
  }

  /**
   * Memory for a message.
   *
   * @throws IllegalStateException if the message is longer than any message of this program; niodev
   *     receives no more then
   */
  public static RawBuffer create(int bytes) {
    if (bytes < 0 || bytes > limit) {
      throw DeviceSystem.broken(
          "a message of at most %d bytes, found one of %d".formatted(limit, bytes));
    }
    return BufferFactory.create(bytes);
  }

  /** Returns the memory of a message. */
  public static void destroy(RawBuffer buffer) {
    BufferFactory.destroy(buffer);
  }
}
