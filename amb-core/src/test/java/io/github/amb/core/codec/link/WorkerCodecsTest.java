package io.github.amb.core.codec.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.codec.CodecSamples;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerCodecsTest {
  private static final Layout LAYOUT = CodecSamples.layout(new int[] {6, 5});

  private final List<Integer> lengths = new ArrayList<>();

  /** A communicator that notes how long messages are. */
  private final class Noting extends ForwardingCommunicator {
    Noting(Communicator communicator) {
      super(communicator);
    }

    @Override
    public void send(int to, Message message, long deadline) {
      lengths.add(message.length());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "topk:0.2+ef",
        "topk:0.2+ef21",
        "topk:0.2,warmup=9",
        "dgc:0.2",
        "randomk:0.2+momentum",
        "powersgd:1+ef"
      })
  void whatHasNoExamplesLeavesNoTrace(String codec) {
    new VirtualCluster(1, CostModel.perExample(1))
        .run((communicator, clock) -> send(codec, new Noting(communicator), clock));
    assertEquals(0, lengths.get(1));
  }

  private static void send(String codec, Communicator engine, Clock clock) {
    StateRegistry state = new StateRegistry();
    Codings codings = new Codings(Codecs.parse(codec + "+min=1"), Coding.NONE);
    Communicator worker = codings.worker(engine, clock, LAYOUT, CodecSamples.STREAMS, state);
    StateMap before = state.state();
    worker.send(0, gradient(1, CodecSamples.laplace(LAYOUT.size(), 1), 4), 0);
    StateMap after = state.state();
    assertFalse(before.hasAll(after));
    worker.send(0, gradient(2, new float[LAYOUT.size()], 0), 0);
    assertTrue(after.hasAll(state.state()));
  }

  private static Message gradient(long step, float[] values, int examples) {
    Message message = new Message().reset(Message.Kind.GRADIENT, step);
    message.exchange(values, values.length);
    message.examples(examples);
    return message;
  }
}
