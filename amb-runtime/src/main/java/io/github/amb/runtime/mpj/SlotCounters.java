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
  /** Maximum number of slots of a segment. */
  static final int SLOTS = 16;

  private static final int LINE = 64;
  private static final int PAGE = 4096;

  /** Length of the counters in bytes, which is the offset of the first slot. */
  static final int BYTES = Math.max(PAGE, SLOTS * LINE);

  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer memory;

  /** Maps the counters of a segment's file, which must already be long enough. */
  SlotCounters(FileChannel channel) throws IOException {
    memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
  }

  /** Offset of a slot in the file, in bytes. */
  static long offset(int slot, int capacity) {
    long bytes = (long) Float.BYTES * capacity;
    return BYTES + slot * ((bytes + PAGE - 1) / PAGE * PAGE);
  }

  /** Maps the memory of a slot of {@code capacity} floats. */
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

  /** Hands the content of the slot to {@code readers} ranks. */
  void set(int slot, int readers) {
    INT.setRelease(memory, slot * LINE, readers);
  }

  /** Records that one rank will not read the slot any more. */
  void countDown(int slot) {
    INT.getAndAddRelease(memory, slot * LINE, -1);
  }
}
