package io.github.amb.runtime.mpj;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of one message: room that MPJ Express fills itself, then the message.
 *
 * @param whole room and message, in the byte order of MPJ Express
 * @param message the message alone, in native byte order
 */
public record MessageMemory(ByteBuffer whole, ByteBuffer message) {
  private static final int CACHE_LINE = 64;

  /**
   * Allocates direct memory for a message.
   *
   * @param room bytes before the message
   * @param length maximum length of the message in bytes
   * @param aligned offset in bytes of the part that starts on a cache line
   */
  public static MessageMemory allocate(int room, int length, int aligned) {
    return part(allocate(room + length, room + aligned), room, room, length);
  }

  /**
   * A message in a part of other memory.
   *
   * @param memory the other memory
   * @param start offset of the message in bytes
   * @param room bytes before the message
   * @param length length of the message in bytes
   */
  static MessageMemory part(ByteBuffer memory, int start, int room, int length) {
    return new MessageMemory(
        memory.slice(start - room, room + length),
        memory.slice(start, length).order(ByteOrder.nativeOrder()));
  }

  /**
   * Allocates direct memory of {@code bytes} bytes, in which byte {@code aligned} starts a cache
   * line.
   */
  static ByteBuffer allocate(int bytes, int aligned) {
    ByteBuffer all = ByteBuffer.allocateDirect(bytes + CACHE_LINE);
    int misplaced = all.alignmentOffset(aligned, CACHE_LINE);
    return all.slice(misplaced == 0 ? 0 : CACHE_LINE - misplaced, bytes);
  }
}
