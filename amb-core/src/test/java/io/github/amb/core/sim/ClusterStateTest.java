package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
  private final StateMap saved = new StateMap();
  private final Payload.Pool pool = new Payload.Pool();

  /** Two ranks, and a message to the second. */
  @BeforeEach
  void save() {
    Moment start = new Moment(0, 0);
    ClusterState.Rank sender = new ClusterState.Rank(new Round.Place(start, 0, 1, 8, 0), 1, 0);
    ClusterState.Rank receiver = new ClusterState.Rank(new Round.Place(start, 0, 0, 0, 0), 0, 0);
    receiver
        .coming()
        .add(
            new MessageInTransit(
                new Message().reset(Message.Kind.PARAMETERS, 3),
                new Payload(pool, new float[] {1, 2}, 1),
                new MessageInTransit.Transit(0, start, 5, 6, 0),
                1));
    ClusterState.save(List.of(sender, receiver), saved);
  }

  @Test
  void ranksAndMessagesAreRestored() {
    List<ClusterState.Rank> ranks = ClusterState.ranks(saved, pool, 2);
    assertEquals(2, ranks.size());
    assertEquals(1, ranks.get(0).sent());
    assertEquals(5, ranks.get(1).coming().get(0).transit.first());
    assertEquals(2, ranks.get(1).coming().get(0).payload.length);
  }

  @Test
  void arraysOfAnotherTypeOrLengthAreNamed() {
    assertUnfit("format", new long[0], "1 longs, found 0 longs");
    assertUnfit("rank-1", new long[7], "8 longs, found 7 longs");
    assertUnfit("rank-1", new float[8], "longs, found 8 floats");
    assertUnfit("messages", new long[16], "rows of 15 longs, found 16 longs");
    assertUnfit("stats", new double[2], "16 doubles, found 2 doubles");
    assertUnfit("payload-0", new double[2], "floats, found 2 doubles");
  }

  private void assertUnfit(String name, Object array, String expected) {
    StateMap other = saved.copy();
    other.put("cluster/" + name, array);
    assertUnfit(other, 2, "state cluster/%s: expected %s".formatted(name, expected));
  }

  private void assertUnfit(StateMap state, int ranks, String message) {
    var e =
        assertThrows(
            IllegalStateException.class, () -> ClusterState.ranks(state, pool, ranks), message);
    assertEquals(message + " in the checkpoint", e.getMessage());
  }

  @Test
  void aRankWithoutStateIsNamed() {
    assertUnfit(saved, 3, "state cluster/rank-2: expected longs, found none");
  }
}
