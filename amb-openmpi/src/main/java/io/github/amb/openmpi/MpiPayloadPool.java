package io.github.amb.openmpi;

import java.util.ArrayList;
import java.util.List;

/** Off-heap memory for payloads, used again and again. */
final class MpiPayloadPool {
  private static final int GRAIN = 1024;

  private final List<MpiPayload> free = new ArrayList<>();

  /**
   * Memory for a payload of {@code length} floats: the smallest that is free and suffices, or new
   * memory in place of the largest one that does not.
   */
  synchronized MpiPayload take(int length, boolean forSending) {
    int best = -1;
    for (int i = 0; i < free.size(); i++) {
      if (best < 0 || isBetter(free.get(i).capacity(), free.get(best).capacity(), length)) {
        best = i;
      }
    }
    MpiPayload found = best < 0 ? null : free.remove(best);
    boolean fits = found != null && found.capacity() >= length;
    return (fits ? found : new MpiPayload(this, capacity(length))).taken(forSending);
  }

  private static boolean isBetter(int candidate, int best, int length) {
    return best < length ? candidate > best : candidate >= length && candidate < best;
  }

  private static int capacity(int length) {
    return (int)
        Math.min(Integer.MAX_VALUE / Float.BYTES - GRAIN, (length + GRAIN - 1L) / GRAIN * GRAIN);
  }

  synchronized void giveBack(MpiPayload payload) {
    free.add(payload);
  }
}
