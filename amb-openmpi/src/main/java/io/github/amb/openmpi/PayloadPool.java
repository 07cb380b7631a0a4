package io.github.amb.openmpi;

import java.util.ArrayList;
import java.util.List;

/** Off-heap memory for payloads, used again and again. */
final class PayloadPool {
  private static final int GRAIN = 1024;

  private final List<Payload> free = new ArrayList<>();

  /**
   * Memory for a payload of {@code length} floats: the smallest that is free and suffices, or new
   * memory in place of the largest one that does not.
   */
  synchronized Payload take(int length, boolean forSending) {
    int best = -1;
    for (int i = 0; i < free.size(); i++) {
      if (best < 0 || isBetter(free.get(i).capacity(), free.get(best).capacity(), length)) {
        best = i;
      }
    }
    Payload found = best < 0 ? null : free.remove(best);
    boolean fits = found != null && found.capacity() >= length;
    return (fits ? found : new Payload(this, capacity(length))).taken(forSending);
  }

  private static boolean isBetter(int candidate, int best, int length) {
    return best < length ? candidate > best : candidate >= length && candidate < best;
  }

  private static int capacity(int length) {
    return (int)
        Math.min(Integer.MAX_VALUE / Float.BYTES - GRAIN, (length + GRAIN - 1L) / GRAIN * GRAIN);
  }

  synchronized void giveBack(Payload payload) {
    free.add(payload);
  }
}
