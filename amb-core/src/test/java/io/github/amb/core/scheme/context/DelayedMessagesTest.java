package io.github.amb.core.scheme.context;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.random.Streams;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayedMessagesTest {
  private static final int MESSAGES = 3;

  /** Some messages that have arrived, then a rank failure that is reported once. */
  private static final class Leaving extends ForwardingCommunicator {
    private int step;

    Leaving(Communicator communicator) {
      super(communicator);
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      if (step > MESSAGES) {
        return false;
      }
      if (step == MESSAGES) {
        step++;
        throw new LostException("all have left");
      }
      into.reset(Message.Kind.GRADIENT, ++step);
      into.source(0);
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5})
  void whatCameBeforeALossIsLetGoFirst(double std) {
    List<Long> steps = new ArrayList<>();
    new VirtualCluster(1, CostModel.perExample(0))
        .run(
            (communicator, clock) -> {
              Streams streams = new Streams(Seeds.of(7));
              Communicator delayed =
                  DelayedMessages.over(
                      new Leaving(communicator), clock, streams, std, new StateRegistry());
              Message message = new Message();
              for (int i = 0; i < MESSAGES; i++) {
                assertTrue(delayed.receive(Communicator.ANY, message, Clock.NEVER));
                steps.add(message.step());
              }
              assertThrows(
                  LostException.class,
                  () -> delayed.receive(Communicator.ANY, message, Clock.NEVER));
            });
    steps.sort(null);
    assertEquals(List.of(1L, 2L, 3L), steps);
  }

  /** An engine that does not count what is held back, and has ever more messages. */
  private static final class Flood extends ForwardingCommunicator {
    private final int length;
    private int taken;

    Flood(Communicator communicator, int length) {
      super(communicator);
      this.length = length;
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      assertTrue(++taken < 10 * WINDOW_MESSAGES, "everything is taken");
      into.reset(Message.Kind.GRADIENT, taken);
      into.ensureCapacity(length);
      into.source(0);
      return true;
    }

    @Override
    public int lastReceived() {
      return 0;
    }
  }

  /** Small messages are limited by their number, those of 1 MiB by their bytes. */
  @ParameterizedTest
  @CsvSource({"1, 64", "262144, 14"})
  void whatIsHeldBackIsLimited(int length, int most) {
    new VirtualCluster(1, CostModel.perExample(0))
        .run(
            (communicator, clock) -> {
              Flood flood = new Flood(communicator, length);
              Communicator delayed =
                  DelayedMessages.over(
                      flood, clock, new Streams(Seeds.of(9)), 0.5, new StateRegistry());
              for (int let = 1; let <= 20; let++) {
                assertTrue(delayed.receive(Communicator.ANY, new Message(), Clock.NEVER));
                assertEquals(most + let - 1, flood.taken);
              }
            });
  }

  /** Messages of one kind, each of which comes when the one before it has been let go. */
  private static final class OneByOne extends ForwardingCommunicator {
    private final Clock clock;
    private final Message.Kind kind;
    private boolean waiting = true;

    OneByOne(Communicator communicator, Clock clock, Message.Kind kind) {
      super(communicator);
      this.clock = clock;
      this.kind = kind;
    }

    @Override
    public boolean receive(int from, Message into, long deadline) {
      if (!waiting) {
        clock.sleep(deadline - clock.now());
        return false;
      }
      waiting = false;
      into.reset(kind, 0);
      into.source(0);
      return true;
    }
  }

  private static double[] holds(Message.Kind kind, int messages, double std) {
    double[] holds = new double[messages];
    new VirtualCluster(1, CostModel.perExample(0))
        .run(
            (communicator, clock) -> {
              OneByOne wire = new OneByOne(communicator, clock, kind);
              Streams streams = new Streams(Seeds.of(8));
              Communicator delayed =
                  DelayedMessages.over(wire, clock, streams, std, new StateRegistry());
              for (int i = 0; i < messages; i++) {
                long start = clock.now();
                wire.waiting = true;
                assertTrue(delayed.receive(Communicator.ANY, new Message(), Clock.NEVER));
                holds[i] = Clock.seconds(start, clock.now());
              }
            });
    return holds;
  }

  /** No hold of 10,000 is longer than 8 σ, but with a probability of 1e-11. */
  @ParameterizedTest
  @EnumSource(names = {"PARAMETERS", "GRADIENT", "DELTA"})
  void messagesAreHeldForAFoldedNormalTime(Message.Kind kind) {
    double std = 0.2;
    double[] holds = holds(kind, 10_000, std);
    double mean = Arrays.stream(holds).average().getAsDouble();
    double square = Arrays.stream(holds).map(hold -> hold * hold).average().getAsDouble();
    double variance = std * std * (1 - 2 / Math.PI);
    assertEquals(std * Math.sqrt(2 / Math.PI), mean, Deviation.ofMean(10_000, variance, 8 * std));
    double ofSquare = 2 * std * std * std * std;
    assertEquals(std * std, square, Deviation.ofMean(10_000, ofSquare, 64 * std * std));
  }

  @Test
  void otherMessagesAreNotHeld() {
    assertArrayEquals(new double[20], holds(Message.Kind.QUERY, 20, 0.2));
  }
}
