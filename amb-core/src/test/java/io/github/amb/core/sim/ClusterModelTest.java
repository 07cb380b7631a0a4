package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.random.Streams;
import io.github.amb.core.sim.ClusterModel.Link;
import io.github.amb.core.sim.ClusterModel.Node;
import io.github.amb.core.sim.ClusterModel.Slowdown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ClusterModelTest {
  private static final double SECOND = 1e9;

  /** D·√n of Kolmogorov's distribution is above it with a probability of 2·exp(−18) = 3e-8. */
  private static final double KOLMOGOROV = 3;

  private static final int BYTES = 1000;
  private static final double BITS_PER_SECOND = 8 * BYTES;
  private static final double FAST = Double.POSITIVE_INFINITY;

  private static Episodes episodes(double on, double off, long seed) {
    return new Episodes(
        on * SECOND, off * SECOND, true, new Streams(seed).stream("episodes", 1, 0));
  }

  @Test
  void episodesAndGapsHaveExponentialLengths() {
    Episodes episodes = episodes(2, 6, 1);
    int count = 20_000;
    double[][] lengths = new double[2][count];
    long now = episodes.end(0); // The first one has begun before time 0.
    for (int i = 0; i < 2 * count; i++) {
      long end = episodes.end(now);
      lengths[episodes.at(now) ? 1 : 0][i / 2] = (end - now) / SECOND;
      now = end;
    }
    assertExponential(6, lengths[0]);
    assertExponential(2, lengths[1]);
  }

  private static void assertExponential(double mean, double[] found) {
    Arrays.sort(found);
    double distance = 0;
    for (int i = 0; i < found.length; i++) {
      double probability = 1 - Math.exp(-found[i] / mean);
      distance = Math.max(distance, Math.abs(probability - (i + 0.5) / found.length));
    }
    assertTrue(distance * Math.sqrt(found.length) < KOLMOGOROV, "distance " + distance);
  }

  /** With probability p = 0.25; six deviations of a mean of 4,000 are 0.041. */
  @Test
  void anEpisodeMayBeUnderWayAtTheBeginning() {
    long under = IntStream.range(0, 4000).filter(seed -> episodes(2, 6, seed).at(0)).count();
    assertEquals(0.25, under / 4000.0, 0.041);
  }

  @Property(tries = 200)
  void episodesDoNotDependOnWhenTheyAreAskedFor(@ForAll @IntRange(max = 1000) int seed) {
    Episodes forwards = episodes(1, 3, seed);
    Episodes backwards = episodes(1, 3, seed);
    List<Boolean> found = new ArrayList<>();
    for (int second = 0; second < 50; second++) {
      found.add(forwards.at((long) (second * SECOND)));
    }
    for (int second = 49; second >= 0; second--) {
      assertEquals(found.get(second), backwards.at((long) (second * SECOND)));
    }
  }

  /** Against a sum over milliseconds, which is off by one per change of phase. */
  @Property(tries = 100)
  void workIsSlowerDuringEpisodes(
      @ForAll @IntRange(max = 1000) int seed,
      @ForAll @DoubleRange(min = 0, max = 20) double start,
      @ForAll @DoubleRange(min = 0.1, max = 10) double work,
      @ForAll @DoubleRange(min = 1, max = 8) double factor) {
    Episodes episodes = episodes(1, 3, seed);
    long begun = (long) (start * SECOND);
    long done = episodes.finish(begun, (long) (work * SECOND), factor);
    double sum = 0;
    int changes = 0;
    for (long time = begun; time < done; time += 1_000_000) {
      double length = Math.min(1_000_000, done - time) / SECOND;
      sum += episodes.at(time) ? length / factor : length;
      changes += episodes.end(time) < Math.min(time + 1_000_000, done) ? 1 : 0;
    }
    assertEquals(work, sum, 1e-3 * (2 * changes + 1));
  }

  private static Node node(Link link) {
    return new Node(1, DelayModel.NONE, Slowdown.NONE, null, link);
  }

  private static Link link(double up, double down, String rack) {
    return new Link(up, down, 0.5, 0, Slowdown.NONE, rack);
  }

  /** When messages of 1,000 bytes arrive that each worker sends at time 0, in seconds. */
  private static List<Double> arrivals(int messages, ClusterModel model) {
    List<Double> arrivals = new ArrayList<>();
    new VirtualCluster(model, CostModel.perExample(0).workTime(), 1, Hold.NONE)
        .run(
            (communicator, clock) -> {
              int workers = communicator.size() - 1;
              for (int i = 0; i < messages * (communicator.rank() == 0 ? workers : 1); i++) {
                Message message = new Message().reset(Message.Kind.GRADIENT, i + 1);
                if (communicator.rank() == 0) {
                  communicator.receive(Communicator.ANY, message, Clock.NEVER);
                  arrivals.add(clock.now() / SECOND);
                } else {
                  message.ensureCapacity((BYTES - VirtualCommunicator.HEADER_BYTES) / 4);
                  communicator.send(0, message, Clock.NEVER);
                }
              }
            });
    return arrivals;
  }

  private static ClusterModel workers(int count, Link master, Link worker) {
    List<Node> nodes = new ArrayList<>(List.of(node(master)));
    for (int i = 0; i < count; i++) {
      nodes.add(node(worker));
    }
    return new ClusterModel(nodes, Map.of(), 1);
  }

  @Test
  void theSlowerLinkDecidesWhenAMessageArrives() {
    Link master = link(FAST, BITS_PER_SECOND, "");
    Link slow = link(BITS_PER_SECOND / 4, FAST, "");
    assertEquals(List.of(4.5), arrivals(1, workers(1, master, slow)));
    // The master's link takes each for a second of its own.
    assertEquals(List.of(4.5, 5.5), arrivals(1, workers(2, master, slow)));
    assertEquals(List.of(1.5, 2.5, 3.5), arrivals(1, workers(3, master, link(FAST, FAST, ""))));
    assertEquals(List.of(4.5, 8.5), arrivals(2, workers(1, master, slow)));
  }

  @Test
  void racksShareATrunk() {
    Link master = link(FAST, FAST, "a");
    for (Map<String, Double> trunks :
        List.of(
            Map.of("b", BITS_PER_SECOND),
            Map.of("a", BITS_PER_SECOND),
            Map.of("a", BITS_PER_SECOND, "b", BITS_PER_SECOND))) {
      ClusterModel far = workers(3, master, link(FAST, FAST, "b"));
      assertEquals(
          List.of(1.5, 2.5, 3.5),
          arrivals(1, new ClusterModel(far.nodes(), trunks, 1)),
          "" + trunks);
      ClusterModel near = workers(3, master, link(FAST, FAST, "a"));
      assertEquals(List.of(.5, .5, .5), arrivals(1, new ClusterModel(near.nodes(), trunks, 1)));
    }
  }

  @Test
  void aSlowLinkTakesAMultiple() {
    Episodes always = new Episodes(1e30, 1, true, new Streams(1).stream("always", 1, 0));
    Slowdown slow = new Slowdown(always, 3);
    Link worker = new Link(BITS_PER_SECOND, BITS_PER_SECOND, 0, 0, slow, "");
    assertEquals(List.of(3.5), arrivals(1, workers(1, link(FAST, FAST, ""), worker)));
  }

  /** Sums of 5,000 exponential times; six deviations of their mean are 0.085 of it. */
  @Test
  void latenciesJitterAndKeepTheOrder() {
    Link jittery = new Link(FAST, FAST, 1, 2, Slowdown.NONE, "");
    Network network = new Network(workers(1, link(FAST, FAST, ""), jittery));
    double sum = 0;
    for (int i = 0; i < 5000; i++) {
      long leaves = (long) (1000 * SECOND) * i;
      sum += (network.arrives(1, 0, BYTES, leaves, 0, 0, i) - leaves) / SECOND - 1;
    }
    assertEquals(2, sum / 5000, 2 * 0.085);
    long before = 0;
    for (int i = 5000; i < 6000; i++) {
      long arrives = network.arrives(1, 0, BYTES, (long) (5000 * 1000 * SECOND), 0, 0, i);
      assertTrue(arrives >= before);
      before = arrives;
    }
  }
}
