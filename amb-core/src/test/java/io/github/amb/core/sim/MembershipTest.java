package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Worlds of the virtual cluster while workers die and come back, at any instant. */
class MembershipTest {
  private static final int ROUNDS = 12;
  private static final double SECOND = Clock.NANOS_PER_SECOND;

  /** When a worker dies, in rounds of its own; whether it comes back. */
  private record Death(int round, boolean inWork, boolean returns, double detection) {}

  /** A worker's program ends. */
  private static final class Died extends RuntimeException {}

  /** A run: which world each rank saw under each number, and what the master counted. */
  private static final class Run {
    final TreeMap<Integer, int[]> worlds = new TreeMap<>();
    final List<String> events = new ArrayList<>();
    final Death[] deaths;
    final VirtualCluster cluster;
    int rounds;

    Run(Death[] deaths) {
      this.deaths = deaths;
      cluster = new VirtualCluster(deaths.length + 1, CostModel.perExample(0.1));
      cluster.run(this::rank);
    }

    private void rank(Communicator communicator, Clock clock) {
      int self = communicator.rank();
      if (self == Communicator.MASTER) {
        live(cluster.membership(self), clock, null);
        return;
      }
      Death death = deaths[self - 1];
      try {
        live(cluster.membership(self), clock, death);
      } catch (Died e) {
        cluster.die(self, Clock.nanos(death.detection()));
        if (death.returns()) {
          clock.sleep(Clock.nanos(death.detection() + 1));
          comeBack(self, clock);
        }
      }
    }

    private void comeBack(int self, Clock clock) {
      try {
        live(cluster.replacement(self), clock, null);
      } catch (LostException e) {
        events.add("rank " + self + " came too late");
      }
    }

    private void live(Membership membership, Clock clock, Death death) {
      Membership.Generation generation = membership.first();
      while (generation != null) {
        joined(generation, clock);
        try {
          if (generation.self() == Communicator.MASTER) {
            lead(membership, generation);
          } else {
            follow(generation, clock, death);
          }
          generation = null;
        } catch (LostException e) {
          generation = membership.next(e);
        }
      }
    }

    private void joined(Membership.Generation generation, Clock clock) {
      events.add(generation.number() + " " + generation.self() + " " + clock.now());
      int[] known = worlds.putIfAbsent(generation.number(), generation.members());
      if (known != null) {
        assertArrayEquals(
            known, generation.members(), "all see the same world " + generation.number());
      }
    }

    /** A round counts when every worker of the world has answered in that world. */
    private void lead(Membership membership, Membership.Generation generation) {
      Communicator link = generation.communicator();
      Message message = new Message();
      while (rounds < ROUNDS) {
        message.reset(Message.Kind.PARAMETERS, rounds + 1).examples(generation.number());
        link.broadcast(message, Clock.NEVER);
        for (int worker = 1; worker < link.size(); worker++) {
          link.receive(Communicator.ANY, message, Clock.NEVER);
          assertEquals(rounds + 1, message.step());
          assertEquals(generation.number(), message.examples(), "a message of another generation");
        }
        rounds++;
        if (membership.changes()) {
          throw new LostException("a worker joins");
        }
      }
      link.broadcast(message.reset(Message.Kind.STOP, 0), Clock.NEVER);
    }

    private void follow(Membership.Generation generation, Clock clock, Death death) {
      Communicator link = generation.communicator();
      Message message = new Message();
      link.receive(Communicator.MASTER, message, Clock.NEVER);
      while (message.kind() == Message.Kind.PARAMETERS) {
        assertEquals(generation.number(), message.examples(), "a message of another generation");
        boolean dies = death != null && message.step() >= death.round();
        if (dies && !death.inWork()) {
          throw new Died();
        }
        clock.charge(Work.PARTITION, generation.self());
        if (dies) {
          throw new Died();
        }
        link.send(Communicator.MASTER, message, Clock.NEVER);
        link.receive(Communicator.MASTER, message, Clock.NEVER);
      }
    }
  }

  private static Death[] deaths(int workers, long seed) {
    Random random = new Random(seed);
    Death[] deaths = new Death[workers];
    for (int i = 0; i < workers; i++) {
      boolean lives = random.nextInt(3) == 0;
      deaths[i] =
          new Death(
              lives ? Integer.MAX_VALUE : 1 + random.nextInt(ROUNDS + 1),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextInt(4) * 0.5);
    }
    return deaths;
  }

  @Property(tries = 300)
  void theRunContinuesWithTheOthersAndIsTheSameAgain(
      @ForAll @IntRange(min = 1, max = 6) int workers, @ForAll long seed) {
    Death[] deaths = deaths(workers, seed);
    Run run = new Run(deaths);
    assertEquals(ROUNDS, run.rounds);
    assertEquals(run.events, new Run(deaths).events);
    for (int worker = 1; worker <= workers; worker++) {
      int self = worker;
      boolean inLast = Arrays.stream(run.worlds.lastEntry().getValue()).anyMatch(n -> n == self);
      boolean late = run.events.contains("rank " + self + " came too late");
      boolean lives = deaths[worker - 1].round() > ROUNDS;
      assertTrue(!lives || inLast, "who lives is in the last world: " + run.events);
      assertTrue(!late || deaths[worker - 1].returns());
    }
  }

  /** Nobody waits for a dead worker longer than until its death is known. */
  @Property(tries = 200)
  void aWorldEndsWhenADeathIsKnown(
      @ForAll @IntRange(min = 1, max = ROUNDS) int round,
      @ForAll boolean inWork,
      @ForAll @IntRange(min = 1, max = 300) int tenths) {
    Death[] deaths = {
      new Death(Integer.MAX_VALUE, false, false, 0),
      new Death(round, inWork, false, tenths / 10.0),
      new Death(Integer.MAX_VALUE, false, false, 0)
    };
    Run run = new Run(deaths);
    // The slowest of three workers takes 0.3 s a round, the one that dies 0.2 s.
    double died = 0.3 * (round - 1) + (inWork ? 0.2 : 0);
    double others = Math.max(0.3 * round, died + tenths / 10.0);
    List<String> second = run.events.stream().filter(event -> event.startsWith("2 ")).toList();
    assertEquals(3, second.size());
    for (String event : second) {
      double joined = Long.parseLong(event.split(" ")[2]) / SECOND;
      assertEquals(others, joined, 1e-6, round + " " + inWork + " " + tenths + " " + run.events);
    }
    assertArrayEquals(new int[] {0, 1, 3}, run.worlds.get(2));
  }
}
