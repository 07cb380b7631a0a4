package io.github.amb.openmpi;

import io.github.amb.core.engine.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Off-heap memory of one payload, which MPI sends from and receives into. It returns to its pool
 * when the message and all requests have released it.
 */
final class MpiPayload implements Message.Loan {
  private static final int CACHE_LINE = 64;
  private static final int HUGE_PAGE = 2 << 20;

  private final MpiPayloadPool pool;
  private final FloatBuffer floats;

  /** The memory as MPI sees it. */
  final FloatPointer pointer;

  private final AtomicInteger holders = new AtomicInteger();
  private boolean forSending;

  /**
   * Allocates the memory, in huge pages if it fills any, which are copied faster between processes.
   */
  MpiPayload(MpiPayloadPool pool, int capacity) {
    this.pool = pool;
    int bytes = Math.multiplyExact(capacity, Float.BYTES);
    int alignment = bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
    ByteBuffer memory = ByteBuffer.allocateDirect(Math.addExact(bytes, alignment));
    int begin = alignment - memory.alignmentOffset(0, alignment);
    floats = memory.slice(begin, bytes).order(ByteOrder.nativeOrder()).asFloatBuffer();
    pointer = new FloatPointer(floats);
    if (bytes >= HUGE_PAGE) {
      Mpi.hugePages(pointer, bytes);
    }
  }

  /** Makes the caller the only holder. */
  MpiPayload taken(boolean forSending) {
    this.forSending = forSending;
    holders.set(1);
    return this;
  }

  /** Whether the memory was lent for sending. */
  boolean isForSending() {
    return forSending;
  }

  int capacity() {
    return floats.capacity();
  }

  @Override
  public FloatBuffer floats() {
    return floats;
  }

  /** Adds a holder, which must call {@link #end}. */
  void hold() {
    holders.incrementAndGet();
  }

  @Override
  public void end() {
    if (holders.decrementAndGet() == 0) {
      pool.giveBack(this);
    }
  }
}
