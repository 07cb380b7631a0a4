package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualClusterTest {
  private static final CostModel FREE = CostModel.perExample(0);
  private static final long SECOND = 1_000_000_000L;

  private static Message message(long step, int length) {
    Message message = new Message().reset(Message.Kind.GRADIENT, step);
    message.ensureCapacity(length);
    return message;
  }

  @Test
  void messagesArriveInOrderOfTimeThenRank() {
    List<Integer> sources = new ArrayList<>();
    new VirtualCluster(4, FREE)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                Message message = new Message();
                for (int i = 0; i < 3; i++) {
                  assertTrue(communicator.receive(Communicator.ANY, message, Clock.NEVER));
                  sources.add(message.source());
                }
              } else {
                clock.sleep(communicator.rank() == 1 ? SECOND : 0);
                communicator.send(0, message(1, 1), Clock.NEVER);
              }
            });
    assertEquals(List.of(2, 3, 1), sources);
  }

  @Test
  void transmissionTakesLatencyAndBytesOverBandwidth() {
    CostModel costs = new CostModel(0, 0, 0, 0, 0, 0, 0.25, 1000);
    long[] arrivals = new long[2];
    int bytes = VirtualCommunicator.HEADER_BYTES + 4 * 202;
    new VirtualCluster(3, costs)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                Message message = new Message();
                for (int i = 0; i < 2; i++) {
                  communicator.receive(Communicator.ANY, message, Clock.NEVER);
                  arrivals[i] = clock.now();
                }
                assertEquals(2L * bytes, communicator.bytesReceived());
              } else {
                communicator.send(0, message(1, 202), Clock.NEVER);
                assertEquals(SECOND, clock.now());
                assertEquals(bytes, communicator.bytesSent());
              }
            });
    assertEquals(1000, bytes);
    assertEquals(1.25, arrivals[0] / 1e9, 1e-9);
    assertEquals(2.25, arrivals[1] / 1e9, 1e-9);
  }

  @Test
  void aMessageDoesNotCutASleepShort() {
    new VirtualCluster(2, FREE)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                clock.sleep(5 * SECOND);
                assertEquals(5 * SECOND, clock.now());
                assertTrue(communicator.receive(1, new Message(), clock.now()));
              } else {
                communicator.send(0, message(1, 1), Clock.NEVER);
              }
            });
  }

  @Test
  void receiveGivesUpAtItsDeadline() {
    new VirtualCluster(2, FREE)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                assertFalse(communicator.receive(1, new Message(), SECOND));
                assertEquals(SECOND, clock.now());
                assertTrue(communicator.receive(1, new Message(), Clock.NEVER));
                assertEquals(3 * SECOND, clock.now());
              } else {
                clock.sleep(3 * SECOND);
                communicator.send(0, message(1, 1), Clock.NEVER);
              }
            });
  }

  @Test
  void aSlowRankComputesSlower() {
    CostModel costs = CostModel.perExample(0.1);
    new VirtualCluster(2, costs, costs.workTime(1, 0.5), 1)
        .run(
            (communicator, clock) -> {
              clock.charge(io.github.amb.core.engine.Work.PARTITION, 10);
              assertEquals(communicator.rank() == 0 ? SECOND : 2 * SECOND, clock.now());
            });
  }

  @Test
  void aDeadlockIsReported() {
    var cluster = new VirtualCluster(2, FREE);
    var e =
        assertThrows(
            EngineException.class,
            () ->
                cluster.run(
                    (communicator, clock) ->
                        communicator.receive(Communicator.ANY, new Message(), Clock.NEVER)));
    assertTrue(e.getMessage().startsWith("deadlock"));
  }

  @Test
  void theFirstFailureEndsTheRun() {
    var cause = new IllegalStateException("rank 2 broke");
    var cluster = new VirtualCluster(3, FREE);
    var thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                cluster.run(
                    (communicator, clock) -> {
                      if (communicator.rank() == 2) {
                        throw cause;
                      }
                      communicator.receive(Communicator.ANY, new Message(), Clock.NEVER);
                    }));
    assertSame(cause, thrown);
  }

  /** What a simulation costs is the changes of threads: one per message, and a start per rank. */
  @Test
  void ranksAreWokenOncePerMessage() {
    int workers = 50;
    int steps = 10;
    var cluster = new VirtualCluster(workers + 1, new CostModel(1e-3, 0, 0, 0, 0, 0, 1e-4, 1.25e9));
    SimulatedTraining.run(
        cluster,
        SimulatedTraining.fmb(64),
        SimulatedTraining::nothing,
        r -> DelayModels.named("niagara"),
        steps);
    int messages = 2 * workers * steps + 2 * workers;
    assertTrue(cluster.events() <= messages + workers + 1, cluster.events() + " events");
  }

  /** Rank 1's turn comes before rank 2's of the same time, whichever thread ran ahead. */
  @Test
  void whatComesInNoTimeIsSeenInTheOrderOfTurns() {
    List<String> seen = new ArrayList<>();
    new VirtualCluster(3, FREE)
        .run(
            (communicator, clock) -> {
              Message message = new Message();
              if (communicator.rank() == 1) {
                clock.sleep(SECOND);
                seen.add("poll " + communicator.receive(Communicator.ANY, message, clock.now()));
                communicator.receive(Communicator.ANY, message, Clock.NEVER);
                seen.add("from " + message.source() + " at " + clock.now());
              } else if (communicator.rank() == 2) {
                clock.sleep(SECOND);
                communicator.send(1, message(1, 1), Clock.NEVER);
              }
            });
    assertEquals(List.of("poll false", "from 2 at " + SECOND), seen);
  }
}
