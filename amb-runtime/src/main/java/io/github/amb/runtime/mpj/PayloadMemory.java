package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Memory for the payload of a long frame, from or to which it travels without being copied. As MPJ
 * Express takes a message in one piece, the head of a part lies on the end of the part before while
 * it is under way. Used by one thread at a time.
 */
final class PayloadMemory implements Frame.Loan {
  private static final int NONE = -1;

  private final PayloadPool pool;
  private final int room;
  private final int chunkFloats;
  private final ByteBuffer memory;
  private final FloatBuffer floats;
  private final MessageMemory[] parts;
  private final byte[] covered;
  private int open = NONE;

  /**
   * Allocates it.
   *
   * @param room bytes before a message
   * @param count room for so many chunks
   * @param direct whether it shall be direct memory, which sockets read and write without a copy
   * @throws OutOfMemoryError if there is not so much
   */
  PayloadMemory(PayloadPool pool, int room, int chunkFloats, int count, boolean direct) {
    this.pool = pool;
    this.room = room;
    this.chunkFloats = chunkFloats;
    covered = new byte[room + ChunkHeader.BYTES];
    parts = new MessageMemory[count];
    int bytes = Math.multiplyExact(count, chunkFloats * Float.BYTES);
    int all = Math.addExact(bytes, covered.length);
    memory = direct ? MessageMemory.allocate(all, covered.length) : ByteBuffer.allocate(all);
    floats = memory.slice(covered.length, bytes).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  PayloadPool pool() {
    return pool;
  }

  boolean isDirect() {
    return memory.isDirect();
  }

  /** Number of chunks that there is room for. */
  int count() {
    return parts.length;
  }

  /**
   * Where the message goes, or comes from, whose floats start with that at {@code offset}; it may
   * reach to the end of this memory. Until {@link #close} there is a head in place of what is
   * before.
   */
  MessageMemory open(int offset) {
    open = offset * Float.BYTES;
    memory.get(open, covered);
    if (offset % chunkFloats != 0) {
      return part();
    }
    int index = offset / chunkFloats;
    if (parts[index] == null) {
      parts[index] = part();
    }
    return parts[index];
  }

  private MessageMemory part() {
    int start = open + room;
    return MessageMemory.part(memory, start, room, memory.capacity() - start);
  }

  /**
   * Puts back what the head of a message took the place of.
   *
   * @return false if none is under way
   */
  boolean close() {
    if (open == NONE) {
      return false;
    }
    memory.put(open, covered);
    open = NONE;
    return true;
  }

  @Override
  public FloatBuffer floats() {
    return floats;
  }

  @Override
  public void end() {
    pool.giveBack(this);
  }
}
