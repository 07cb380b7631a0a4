package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Memory for the payload of a long message, which is sent and received without a copy. MPJ Express
 * takes a message in one piece; so the header of a part temporarily replaces the end of the part
 * before. Used by one thread at a time.
 */
final class PayloadMemory implements Message.Loan {
  private static final int NONE = -1;

  final PayloadPool pool;
  private final int room;
  private final int chunkFloats;
  private final ByteBuffer memory;
  private final FloatBuffer floats;
  private final MessageMemory[] parts;
  private final byte[] covered;
  private int open = NONE;

  /**
   * Allocates the memory.
   *
   * @param pool the owner
   * @param room bytes before a message
   * @param chunkFloats number of floats in a chunk
   * @param count number of chunks
   * @param direct whether to allocate direct memory, which sockets read and write without a copy
   * @throws OutOfMemoryError if there is not enough memory
   */
  PayloadMemory(PayloadPool pool, int room, int chunkFloats, int count, boolean direct) {
    this.pool = pool;
    this.room = room;
    this.chunkFloats = chunkFloats;
    covered = new byte[room + ChunkHeader.BYTES];
    parts = new MessageMemory[count];
    int bytes = Math.multiplyExact(count, chunkFloats * Float.BYTES);
    int longest = Math.max(MpjEngine.LONG_BYTES, ChunkHeader.BYTES + Float.BYTES * chunkFloats);
    int tail = Seal.sealedBytes(longest) - longest; // What encryption adds to the last part.
    int all = Math.addExact(bytes, covered.length + tail);
    memory = direct ? MessageMemory.allocate(all, covered.length) : ByteBuffer.allocate(all);
    floats = memory.slice(covered.length, bytes).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  boolean isDirect() {
    return memory.isDirect();
  }

  /** Number of chunks that fit. */
  int count() {
    return parts.length;
  }

  /**
   * The message whose floats start with that at {@code offset}; it may reach to the end of this
   * memory. Until {@link #close} its header replaces the bytes before it.
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
   * Restores the bytes that the header of a message replaced.
   *
   * @return false if no message is open
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
