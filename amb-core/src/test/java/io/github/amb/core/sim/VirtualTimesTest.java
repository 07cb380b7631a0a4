package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.WorkerRecord;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Virtual times against closed forms. */
class VirtualTimesTest {
  /** A message of this length takes a second on {@link #SLOW_LINK}. */
  private static final int LENGTH = 202;

  private static final CostModel SLOW_LINK = new CostModel(0, 0, 0, 0, 0, 0, 0.25, 1000);

  private static Message message(int length) {
    Message message = new Message().reset(Message.Kind.GRADIENT, 1);
    message.ensureCapacity(length);
    return message;
  }

  private static double seconds(Clock clock) {
    return clock.now() / 1e9;
  }

  /**
   * The receiver takes a message per second, from one second on. Small messages wait for the count
   * of those that were not taken, large ones for their bytes: two of 5 MB are more than the window.
   */
  @ParameterizedTest
  @CsvSource({"4, 64", "1250000, 2"})
  void aRankWaitsUntilTheReceiverHasTaken(int length, int window) {
    int messages = window + 3;
    double[] sent = new double[messages];
    new VirtualCluster(2, CostModel.perExample(0))
        .run(
            (communicator, clock) -> {
              for (int i = 0; i < messages; i++) {
                if (communicator.rank() == 0) {
                  clock.sleep(1_000_000_000);
                  communicator.receive(1, new Message(), Clock.NEVER);
                } else {
                  communicator.send(0, message(length), Clock.NEVER);
                  sent[i] = seconds(clock);
                }
              }
            });
    for (int i = 0; i < messages; i++) {
      assertEquals(Math.max(0, i - window + 1), sent[i], 1e-9);
    }
  }

  /** The receiver holds all messages back for a second after they have come, and then ends. */
  @Test
  void whatIsHeldBackIsNotTakenAndAnEndedRankTakesNothing() {
    double[] sent = new double[66];
    new VirtualCluster(2, CostModel.perExample(0))
        .run(
            (communicator, clock) -> {
              Message taken = new Message();
              for (int i = 0; i < sent.length; i++) {
                if (communicator.rank() == 1) {
                  communicator.send(0, message(4), Clock.NEVER);
                  sent[i] = seconds(clock);
                } else if (i < 64) {
                  communicator.receive(1, taken, Clock.NEVER);
                  communicator.hold(1, communicator.lastReceived(), true);
                }
              }
              if (communicator.rank() == 0) {
                clock.sleep(1_000_000_000);
                communicator.hold(1, communicator.lastReceived(), false);
                clock.sleep(1_000_000_000);
              }
            });
    assertArrayEquals(new double[] {0, 1, 2}, Arrays.copyOfRange(sent, 63, 66), 1e-9);
  }

  @Test
  void aBroadcastLeavesOneMessageAfterTheOther() {
    double[] arrivals = new double[5];
    new VirtualCluster(5, SLOW_LINK)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                communicator.broadcast(message(LENGTH), Clock.NEVER);
              } else {
                communicator.receive(0, new Message(), Clock.NEVER);
              }
              arrivals[communicator.rank()] = seconds(clock);
            });
    assertArrayEquals(new double[] {4, 1.25, 2.25, 3.25, 4.25}, arrivals, 1e-9);
  }

  @Test
  void aLaterMessageDoesNotDelayAnEarlierOne() {
    double[] arrivals = new double[2];
    new VirtualCluster(4, SLOW_LINK)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                communicator.broadcast(message(LENGTH), Clock.NEVER);
              } else if (communicator.rank() == 1) {
                clock.sleep(500_000_000);
                communicator.send(3, message(LENGTH), Clock.NEVER);
              } else if (communicator.rank() == 3) {
                Message message = new Message();
                for (int i = 0; i < 2; i++) {
                  communicator.receive(Communicator.ANY, message, Clock.NEVER);
                  assertEquals(1 - i, message.source());
                  arrivals[i] = seconds(clock);
                }
              }
            });
    // From rank 1: 0.5 + 0.25 + 1. From the master: starts at 2, meets a free link.
    assertArrayEquals(new double[] {1.75, 3.25}, arrivals, 1e-9);
  }

  @Test
  void aMessageWaitsForTheOneBeforeItOnTheReceiversLink() {
    new VirtualCluster(3, SLOW_LINK)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                assertFalse(communicator.receive(2, new Message(), 2_749_999_999L));
                assertTrue(communicator.receive(2, new Message(), Clock.NEVER));
                assertEquals(2.75, seconds(clock), 1e-9);
                assertTrue(communicator.receive(1, new Message(), clock.now()));
              } else {
                clock.sleep((communicator.rank() - 1) * 300_000_000L);
                int length = communicator.rank() == 1 ? LENGTH + 125 : LENGTH;
                communicator.send(0, message(length), Clock.NEVER);
                assertEquals(communicator.rank() == 1 ? 1.5 : 1.3, seconds(clock), 1e-9);
              }
            });
  }

  @Test
  void anFmbStepIsBroadcastComputationAndOneGradient() {
    double bandwidth = 4e6 + VirtualCommunicator.HEADER_BYTES;
    CostModel costs = new CostModel(0.1, 0.5, 1e-6, 0, 0, 0, 0.25, bandwidth);
    var cluster = new VirtualCluster(4, costs, costs.workTime(1, 0.5, 0.5, 0.5), 1_000_000);
    SimulatedTraining run =
        SimulatedTraining.run(
            cluster,
            SimulatedTraining.fmb(20),
            SimulatedTraining::nothing,
            r -> DelayModel.NONE,
            4);
    // Last worker's parameters 3 + 0.25, computation 2 * (0.5 + 2), gradient 1 + 0.25, update 1.
    double first = run.steps().get(0).time();
    double second = run.steps().get(1).time();
    assertEquals(3.25 + 5 + 1.25 + 1, second - first, 1e-6);
  }

  @Test
  void aWeightedValueCostsWhatItStandsFor() {
    CostModel costs = new CostModel(0, 0, 1e-6, 0, 0, 0, 0, 4e6);
    new VirtualCluster(2, costs, costs.workTime(), 1_000_000)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == 0) {
                clock.charge(Work.UPDATE, 2);
                assertEquals(2, seconds(clock), 1e-9);
                communicator.send(1, message(1), Clock.NEVER);
                assertEquals(
                    4_000_000 + VirtualCommunicator.HEADER_BYTES, communicator.bytesSent());
                assertEquals(3, seconds(clock), 1e-4);
              } else {
                communicator.receive(0, new Message(), Clock.NEVER);
              }
            });
  }

  @Test
  void theLastSpeedCountsForTheRest() {
    WorkTime time = CostModel.perExample(1).workTime(1, 2, 4);
    assertEquals(10_000_000_000L, time.nanos(0, Work.PARTITION, 10));
    assertEquals(5_000_000_000L, time.nanos(1, Work.PARTITION, 10));
    assertEquals(2_500_000_000L, time.nanos(7, Work.PARTITION, 10));
  }

  @Test
  void receiversOfABroadcastDoNotShareAnArray() {
    new VirtualCluster(4, CostModel.perExample(0))
        .run(
            (communicator, clock) -> {
              Message message = message(3);
              if (communicator.rank() == 0) {
                message.values()[1] = 7;
                communicator.broadcast(message, Clock.NEVER);
                message.values()[1] = 8;
              } else {
                communicator.receive(0, message, Clock.NEVER);
                assertEquals(7, message.values()[1]);
                message.values()[1] = -communicator.rank();
              }
            });
  }

  @Test
  void aMessageThatCannotLeaveBeforeTheDeadlineIsRejected() {
    var cluster = new VirtualCluster(2, SLOW_LINK);
    var e =
        assertThrows(
            EngineException.class,
            () ->
                cluster.run(
                    (communicator, clock) -> {
                      if (communicator.rank() == 0) {
                        communicator.send(1, message(LENGTH), 999_999_999);
                      }
                    }));
    assertTrue(e.getMessage().contains("1000 bytes"), e.getMessage());
  }

  /**
   * The authors' runs on EC2 (CIFAR-10 network, 10 workers, niagara): 10.03 s per step with FMB and
   * 7.20 s with AMB, as their logs say. A link of 2 Gbit/s per node explains both.
   */
  @Test
  void theAuthorsStepTimesComeOutWithinFivePercent() {
    CostModel costs = new CostModel(0.0217, 0, 0, 0, 0, 0, 0, 2e9 / 8);
    DelayModel niagara = DelayModels.named("niagara");
    SimulatedTraining fmb =
        SimulatedTraining.run(
            authors(costs),
            SimulatedTraining.fmb(242),
            SimulatedTraining::nothing,
            r -> niagara,
            1000);
    SimulatedTraining amb =
        SimulatedTraining.run(
            authors(costs),
            SimulatedTraining.amb(356, 6.2, 16),
            SimulatedTraining::nothing,
            r -> niagara,
            500);
    assertEquals(10.03, fmb.secondsPerStep(), 0.05 * 10.03);
    assertEquals(7.20, amb.secondsPerStep(), 0.05 * 7.20);
    long examples = amb.workers().stream().mapToLong(WorkerRecord::numSamples).sum();
    assertEquals(337, examples / 500.0 / amb.secondsPerStep(), 0.05 * 337);
  }

  private static VirtualCluster authors(CostModel costs) {
    return new VirtualCluster(11, costs, costs.workTime(), 4_607_178);
  }
}
