package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.Message;
import java.util.ArrayList;
import java.util.List;

/** Lends memory for payloads of more than one chunk, with a limit of direct memory; thread-safe. */
final class PayloadPool {
  /** Maximum number of floats of lent memory. */
  private static final int MAX_FLOATS = 1 << 28;

  private final int room;
  private final int chunkFloats;
  private final List<PayloadMemory> free = new ArrayList<>();
  private long chunksLeft;

  /**
   * An empty pool.
   *
   * @param room bytes before a message
   * @param chunkFloats number of floats in a chunk
   * @param bytes maximum bytes of direct memory
   */
  PayloadPool(int room, int chunkFloats, long bytes) {
    this.room = room;
    this.chunkFloats = chunkFloats;
    chunksLeft = bytes / Float.BYTES / chunkFloats;
  }

  /**
   * Direct memory for {@code length} floats; null if they fit in a chunk, or the limit is reached.
   */
  PayloadMemory lend(int length) {
    return lend(length, true);
  }

  /** Memory for {@code length} floats; null if they fit in a chunk, or are more than 2^28. */
  PayloadMemory lendAny(int length) {
    return lend(length, false);
  }

  private synchronized PayloadMemory lend(int length, boolean direct) {
    if (length <= chunkFloats || length > MAX_FLOATS) {
      return null;
    }
    int count = (int) ((length + chunkFloats - 1L) / chunkFloats);
    PayloadMemory best = null;
    for (PayloadMemory memory : free) {
      if (memory.count() >= count && (best == null || memory.count() < best.count())) {
        best = memory;
      }
    }
    if (best != null) {
      free.remove(best);
      return best;
    }
    drop(count);
    PayloadMemory made = chunksLeft < count ? null : make(count);
    return made != null || direct ? made : new PayloadMemory(this, room, chunkFloats, count, false);
  }

  /** Frees one free memory, as all are too small, and more if that makes enough room. */
  private void drop(int count) {
    do {
      if (!free.isEmpty()) {
        PayloadMemory dropped = free.remove(0);
        chunksLeft += dropped.isDirect() ? dropped.count() : 0;
      }
    } while (chunksLeft < count && !free.isEmpty());
  }

  private PayloadMemory make(int count) {
    try {
      PayloadMemory made = new PayloadMemory(this, room, chunkFloats, count, true);
      chunksLeft -= count;
      return made;
    } catch (OutOfMemoryError e) {
      chunksLeft = 0;
      return null;
    }
  }

  synchronized void giveBack(PayloadMemory memory) {
    free.add(memory);
  }

  /** The memory of a message's payload, or null if it is not of this pool. */
  PayloadMemory of(Message message) {
    return message.loan() instanceof PayloadMemory memory && memory.pool == this ? memory : null;
  }
}
