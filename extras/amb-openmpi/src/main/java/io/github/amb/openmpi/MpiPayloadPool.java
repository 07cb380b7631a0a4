package io.github.amb.openmpi;

import java.util.ArrayList;
import java.util.List;

/** A pool of off-heap memory for payloads. */
final class MpiPayloadPool {
  private static final int GRAIN = 1024;

  private final List<MpiPayload> free = new ArrayList<>();

  /**
   * Memory for a payload of {@code length} floats: the smallest sufficient free one, or a new one,
   * which replaces the largest insufficient one.
   *
   * @param forSending whether it is lent for sending
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
