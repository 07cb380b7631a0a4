package io.github.amb.openmpi;

import io.github.amb.core.engine.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Off-heap memory for one payload, which MPI sends from and receives into. It goes back to its pool
 * when the frame that has it and all requests that use it are done with it.
 */
final class MpiPayload implements Frame.Loan {
  private static final int CACHE_LINE = 64;
  private static final int HUGE_PAGE = 2 << 20;

  private final MpiPayloadPool pool;
  private final FloatBuffer floats;
  private final FloatPointer pointer;
  private final AtomicInteger holders = new AtomicInteger();
  private boolean forSending;
  private FloatBuffer range;
  private int rangeBegin;

  /** In huge pages if it fills any: between processes they are copied in less time. */
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

  /** Whether it was lent to be written to and sent. */
  boolean isForSending() {
    return forSending;
  }

  int capacity() {
    return floats.capacity();
  }

  /** The memory as MPI sees it. */
  FloatPointer pointer() {
    return pointer;
  }

  @Override
  public FloatBuffer floats() {
    return floats;
  }

  /** A part of the memory; the same object as long as the same part is asked for. */
  FloatBuffer range(int begin, int length) {
    if (range == null || rangeBegin != begin || range.capacity() != length) {
      range = floats.slice(begin, length);
      rangeBegin = begin;
    }
    return range;
  }

  /** One more holder, which must call {@link #end}. */
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
