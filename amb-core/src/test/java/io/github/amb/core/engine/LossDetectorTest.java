package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LossDetectorTest {
  private static final int ROUNDS = 5;
  private static final int RANKS = 4;

  /** Loses the n-th message from one rank to another. */
  private static final class Lossy extends ForwardingCommunicator {
    private final int to;
    private int left;

    Lossy(Communicator communicator, int to, int nth) {
      super(communicator);
      this.to = to;
      left = nth;
    }

    @Override
    public void send(int to, Message message, long deadline) {
      if (to == this.to && message.kind() != Message.Kind.COUNT && --left == 0) {
        return;
      }
      super.send(to, message, deadline);
    }

    @Override
    public void broadcast(Message message, long deadline) {
      for (int rank = 0; rank < size(); rank++) {
        if (rank != rank()) {
          send(rank, message, deadline);
        }
      }
    }
  }

  /** Returns the detected losses, each with its virtual second; no rank may be left waiting. */
  private static List<String> run(int from, int to, int nth, double work) {
    return run(from, to, nth, work, LossDetectorTest::talk);
  }

  private static List<String> run(
      int from, int to, int nth, double work, BiConsumer<Communicator, Clock> program) {
    List<String> noticed = new ArrayList<>();
    VirtualCluster cluster = new VirtualCluster(RANKS, CostModel.perExample(work));
    cluster.run(
        (communicator, clock) -> {
          Membership membership = cluster.membership(communicator.rank());
          Communicator link =
              communicator.rank() == from ? new Lossy(communicator, to, nth) : communicator;
          membership.first();
          try {
            program.accept(new LossDetector(link, clock), clock);
          } catch (LostException e) {
            if (e.getMessage().startsWith("messages were lost")) {
              noticed.add(e.getMessage() + " at " + clock.now() / 1_000_000_000);
            }
            membership.next(e);
          }
        });
    return noticed;
  }

  /** Every round the master asks all, each works a while, and answers; in the end it stops them. */
  private static void talk(Communicator link, Clock clock) {
    Message message = new Message();
    for (int round = 1; round <= ROUNDS; round++) {
      if (link.rank() == Communicator.MASTER) {
        link.broadcast(message.reset(Message.Kind.PARAMETERS, round), Clock.NEVER);
        for (int worker = 1; worker < link.size(); worker++) {
          link.receive(Communicator.ANY, message, Clock.NEVER);
          assertEquals(round, message.step());
        }
      } else {
        link.receive(Communicator.MASTER, message, Clock.NEVER);
        clock.charge(Work.PARTITION, 1);
        link.send(Communicator.MASTER, message.reset(Message.Kind.GRADIENT, round), Clock.NEVER);
      }
    }
    if (link.rank() == Communicator.MASTER) {
      link.broadcast(message.reset(Message.Kind.STOP, ROUNDS), Clock.NEVER);
    } else {
      link.receive(Communicator.MASTER, message, Clock.NEVER);
    }
  }

  /** Every round each worker sends to all others, and waits for theirs; then the master ends it. */
  private static void agree(Communicator link, Clock clock) {
    Message message = new Message();
    int[] rounds = new int[RANKS];
    rounds[0] = ROUNDS;
    rounds[link.rank()] = ROUNDS;
    for (int round = 1; link.rank() != Communicator.MASTER && round <= ROUNDS; round++) {
      clock.charge(Work.PARTITION, link.rank());
      for (int other = 1; other < RANKS; other++) {
        if (other != link.rank()) {
          link.send(other, message.reset(Message.Kind.ESTIMATE, round), Clock.NEVER);
        }
      }
      int wanted = round;
      while (Arrays.stream(rounds).anyMatch(found -> found < wanted)) {
        link.receive(Communicator.ANY, message, Clock.NEVER);
        rounds[message.source()]++;
      }
    }
    if (link.rank() == Communicator.MASTER) {
      for (int worker = 1; worker < RANKS; worker++) {
        link.receive(Communicator.ANY, message, Clock.NEVER);
      }
      link.broadcast(message.reset(Message.Kind.STOP, ROUNDS), Clock.NEVER);
    } else {
      link.send(Communicator.MASTER, message.reset(Message.Kind.DELTA, ROUNDS), Clock.NEVER);
      link.receive(Communicator.ANY, message, Clock.NEVER);
    }
  }

  @Property(tries = 100)
  void lossesBetweenWorkersAreNoticedSoon(
      @ForAll @IntRange(min = 1, max = RANKS - 1) int from,
      @ForAll @IntRange(min = 1, max = RANKS - 2) int step,
      @ForAll @IntRange(min = 1, max = ROUNDS) int nth,
      @ForAll @IntRange(max = 30) int tenths) {
    int to = 1 + (from - 1 + step) % (RANKS - 1);
    List<String> noticed = run(from, to, nth, tenths / 10.0, LossDetectorTest::agree);
    assertEquals(1, noticed.size(), noticed.toString());
    assertTrue(
        noticed.get(0).startsWith("messages were lost: rank " + from + " has sent"),
        noticed.toString());
    long second = Long.parseLong(noticed.get(0).replaceAll(".* at ", ""));
    assertTrue(second <= ROUNDS * RANKS * tenths / 10 + 3, noticed.toString());
  }

  @Property(tries = 20)
  void nothingIsNoticedBetweenWorkersWhereNothingIsLost(@ForAll @IntRange(max = 30) int tenths) {
    assertEquals(List.of(), run(-1, -1, 0, tenths / 10.0, LossDetectorTest::agree));
  }

  /** However slow the work is, no message counts as lost. */
  @Property(tries = 50)
  void nothingIsNoticedWhereNothingIsLost(@ForAll @IntRange(max = 60) int tenths) {
    assertEquals(List.of(), run(-1, -1, 0, tenths / 10.0));
  }

  @Property(tries = 200)
  void everyLossIsNoticedSoon(
      @ForAll @IntRange(min = 1, max = RANKS - 1) int worker,
      @ForAll @IntRange(min = 1, max = ROUNDS) int nth,
      @ForAll boolean up,
      @ForAll @IntRange(max = 30) int tenths) {
    List<String> noticed = run(up ? worker : 0, up ? 0 : worker, nth, tenths / 10.0);
    assertEquals(1, noticed.size(), noticed.toString());
    int source = up ? worker : 0;
    assertTrue(
        noticed.get(0).startsWith("messages were lost: rank " + source + " has sent"),
        noticed.toString());
    long second = Long.parseLong(noticed.get(0).replaceAll(".* at ", ""));
    assertTrue(second <= ROUNDS * tenths / 10 + 3, noticed.toString());
  }
}
