package io.github.amb.core.scheme.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
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
}
