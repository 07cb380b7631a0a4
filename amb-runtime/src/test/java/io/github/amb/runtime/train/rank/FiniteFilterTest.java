package io.github.amb.runtime.train.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.update.NonFiniteGradientException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiniteFilterTest {
  private static final Layout LAYOUT =
      new Layout(List.of(new Block("a.W", Block.Kind.WEIGHT, 0, 2)));

  private final List<String> warnings = new ArrayList<>();

  /** What is sent is gone. */
  private static class Nowhere extends ForwardingCommunicator {
    Nowhere(Communicator communicator) {
      super(communicator);
    }

    @Override
    public void send(int to, Message message, long deadline) {
      // Nobody is there.
    }
  }

  private void drop(int results) {
    new VirtualCluster(1, CostModel.perExample(1))
        .run(
            (communicator, clock) -> {
              var filter =
                  new FiniteFilter(
                      new Nowhere(communicator), LAYOUT, 2, new DroppedResults(warnings::add));
              for (int step = 1; step <= results; step++) {
                Message message = new Message().reset(Message.Kind.GRADIENT, step);
                message.ensureCapacity(2)[1] = Float.NaN;
                message.examples(16);
                filter.send(0, message, 0);
                assertEquals(0, message.examples());
                assertEquals(0, message.values()[1]);
              }
            });
  }

  @Test
  void aResultThatIsDroppedIsNamed() {
    drop(1);
    assertEquals(
        List.of(
            "result of rank 2 for step 1 dropped, examples 0 to 15 of its order: block a.W, which has NaN"),
        warnings);
  }

  /** As a codec does whose scale would overflow: the result goes without its values. */
  @Test
  void whatTheCodecRejectsIsDropped() {
    List<Long> sent = new ArrayList<>();
    new VirtualCluster(1, CostModel.perExample(1))
        .run(
            (communicator, clock) -> {
              var codec =
                  new Nowhere(communicator) {
                    @Override
                    public void send(int to, Message message, long deadline) {
                      if (message.examples() > 0) {
                        throw NonFiniteGradientException.ofEncoding(2, "a.W");
                      }
                      sent.add(message.examples());
                    }
                  };
              Message message = new Message().reset(Message.Kind.GRADIENT, 3);
              message.ensureCapacity(2)[1] = Float.MAX_VALUE;
              message.examples(16);
              new FiniteFilter(codec, LAYOUT, 2, new DroppedResults(warnings::add))
                  .send(0, message, 0);
            });
    assertEquals(List.of(0L), sent);
    assertTrue(
        warnings.get(0).startsWith("result of rank 2 for step 3 dropped"), warnings::toString);
  }

  /** 1 to 10, 20 to 100 by tens, 200. */
  @Test
  void manyDropsAreLoggedEverMoreRarely() {
    drop(250);
    assertEquals(20, warnings.size());
    assertEquals(
        "result of rank 2 for step 200 dropped, examples 0 to 15 of its order: block a.W, which has NaN; 200 dropped so far",
        warnings.get(19));
  }
}
