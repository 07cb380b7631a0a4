package io.github.amb.core.scheme.context;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import org.junit.jupiter.api.Test;

class WorkerLinksTest {
  private static WorkerLinks links() {
    MasterContext master =
        new MasterContext(
            null, new float[4], null, null, null, 1, null, null, null, new StateRegistry());
    ForwardingCommunicator link =
        new ForwardingCommunicator(null) {
          @Override
          public int size() {
            return 3;
          }

          @Override
          public int room(int length) {
            return 1;
          }
        };
    return new WorkerLinks(master, link, Uplink.GRADIENTS);
  }

  /** Earlier versions saved who is idle, as bits: here rank 2. */
  @Test
  void linksSavedAsIdleOrBusyAreRestored() {
    StateMap state = new StateMap();
    state.put("links/idle", new long[] {1 << 2});
    state.put("links/sent-step", new long[3]);
    state.put("links/sent-time", new long[3]);
    state.put("links/offering", new long[] {1});
    WorkerLinks links = links();
    state.restore("links", links);
    StateMap saved = new StateMap();
    saved.save("links", links);
    long[] underWay = (long[]) saved.get("links/under-way");
    assertArrayEquals(new long[] {1, 0}, new long[] {underWay[1], underWay[2]});
  }
}
