package io.github.amb.runtime.mpj;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * How many ranks have still to read each slot of a {@link SharedSegment}: atomic counters at the
 * start of its file, one per cache line. The slots follow, each on whole pages.
 */
final class SlotCounters {
  /** The most slots on a shelf. */
  static final int SLOTS = 16;

  private static final int LINE = 64;
  private static final int PAGE = 4096;

  /** Length in bytes of the counters, as far as the first slot. */
  static final int BYTES = Math.max(PAGE, SLOTS * LINE);

  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer memory;

  /** Maps the counters of a shelf's file, which must be that long already. */
  SlotCounters(FileChannel channel) throws IOException {
    memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
  }

  /** Where in the file a slot starts, in bytes. */
  static long offset(int slot, int capacity) {
    long bytes = (long) Float.BYTES * capacity;
    return BYTES + slot * ((bytes + PAGE - 1) / PAGE * PAGE);
  }

  /** The memory of a slot of {@code capacity} floats. */
  static ByteBuffer map(FileChannel channel, long offset, int capacity) throws IOException {
    long bytes = (long) Float.BYTES * capacity;
    return channel
        .map(FileChannel.MapMode.READ_WRITE, offset, bytes)
        .order(ByteOrder.nativeOrder());
  }

  /** Whether the maker may write to the slot. */
  boolean isFree(int slot) {
    return (int) INT.getAcquire(memory, slot * LINE) == 0;
  }

  /** Hands what has been written to the slot over to {@code readers} ranks. */
  void set(int slot, int readers) {
    INT.setRelease(memory, slot * LINE, readers);
  }

  /** One rank will not read the slot any more. */
  void countDown(int slot) {
    INT.getAndAddRelease(memory, slot * LINE, -1);
  }
}
