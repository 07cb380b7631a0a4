package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same run, whatever the threads do. */
@Timeout(120)
class DeterminismTest {
  private static final CostModel COSTS = new CostModel(1e-3, 1e-3, 1e-9, 1e-6, 0, 0, 1e-4, 1e7);

  @Test
  void fiftyRanksDoTheSameTwentyTimes() {
    Set<String> outcomes = new HashSet<>();
    for (int repeat = 0; repeat < 20; repeat++) {
      SimulatedTraining run =
          SimulatedTraining.run(
              new VirtualCluster(50, COSTS),
              SimulatedTraining.amb(12, 0.05, 4),
              SimulatedTraining::softmax,
              rank -> DelayModels.named("cedar").scaled(0.2),
              6);
      outcomes.add(run.records + Arrays.toString(run.parameters()));
    }
    assertEquals(1, outcomes.size());
  }

  /** Everyone sends to random others, polls, sleeps and answers; every message is received. */
  @Test
  void twoHundredRanksThatTalkAtRandomDoNotDeadlock() {
    int ranks = 200;
    AtomicInteger received = new AtomicInteger();
    new VirtualCluster(ranks, COSTS)
        .run(
            (communicator, clock) -> {
              var random = new Streams(Seeds.of(1)).stream("talk", communicator.rank(), 0);
              Message message = new Message();
              for (int i = 0; i < 20; i++) {
                clock.sleep(random.nextInt(1_000_000));
                int to = (communicator.rank() + 1 + random.nextInt(ranks - 1)) % ranks;
                communicator.send(to, message.reset(Message.Kind.GRADIENT, i), Clock.NEVER);
                if (communicator.receive(Communicator.ANY, message, clock.now() + 100_000)) {
                  received.incrementAndGet();
                }
              }
              while (communicator.receive(Communicator.ANY, message, 10_000_000_000L)) {
                received.incrementAndGet();
              }
            });
    assertEquals(ranks * 20, received.get());
  }

  @Test
  void oneFailureEndsTwoHundredRanks() {
    var cause = new IllegalStateException("rank 77 broke");
    AtomicInteger others = new AtomicInteger();
    var cluster = new VirtualCluster(200, COSTS);
    var thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                cluster.run(
                    (communicator, clock) -> {
                      if (communicator.rank() == 77) {
                        communicator.receive(Communicator.ANY, new Message(), 1_000_000);
                        communicator.broadcast(new Message(), Clock.NEVER);
                        throw cause;
                      }
                      try {
                        while (true) {
                          communicator.receive(Communicator.ANY, new Message(), Clock.NEVER);
                        }
                      } finally {
                        others.incrementAndGet();
                      }
                    }));
    assertSame(cause, thrown);
    assertEquals(199, others.get());
  }

  @Test
  void anInterruptEndsTheRun() throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread main =
        new Thread(
            () -> {
              try {
                new VirtualCluster(2, COSTS).run((communicator, clock) -> chatter(communicator));
              } catch (RuntimeException e) {
                failure[0] = e;
              }
            });
    main.start();
    main.interrupt();
    main.join();
    assertEquals("interrupted", failure[0].getMessage());
  }

  private static void chatter(Communicator communicator) {
    while (true) {
      communicator.send(1 - communicator.rank(), new Message(), Clock.NEVER);
      communicator.receive(Communicator.ANY, new Message(), Clock.NEVER);
    }
  }

  /** 300 workers' gradients of 100 million floats would take 120 GB. */
  @Test
  void timingAloneNeedsNoMemoryForParameters() {
    int weight = 100_000_000;
    SimulatedTraining run =
        SimulatedTraining.run(
            new VirtualCluster(301, COSTS, COSTS.workTime(), weight),
            SimulatedTraining.fmb(10),
            SimulatedTraining::nothing,
            rank -> DelayModels.named("none"),
            2);
    assertEquals(1, run.parameters().length);
    assertTrue(run.steps().get(1).bytesReceived() > 2 * 300 * 4L * weight);
  }
}
